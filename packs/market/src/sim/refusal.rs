//! [`Refusal`]: an error, in the words and shapes of the broker.

use axum::{
    http::{StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

/// An error of the broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    code: &'static str,
    status: u16,
    kind: &'static str,
    message: &'static str,
}

const fn refusal(
    code: &'static str,
    status: u16,
    kind: &'static str,
    message: &'static str,
) -> Refusal {
    Refusal { code, status, kind, message }
}

/// Each documented error. Those without a type are told in the shape of quotes and option chains.
#[rustfmt::skip] // A table: one error a line.
const ALL: &[Refusal] = &[
    refusal("DH-901", 401, "Invalid_Authentication", "Client ID or user generated access token is invalid or expired."),
    refusal("DH-902", 403, "Invalid_Access", "User has not subscribed to Data APIs or does not have access to Trading APIs. Kindly subscribe to Data APIs to be able to fetch Data."),
    refusal("DH-903", 400, "User_Account", "Errors related to User's Account. Check if the required segments are activated or other requirements are met."),
    refusal("DH-904", 429, "Rate_Limit", "Too many requests on server from single user breaching rate limits. Try throttling API calls."),
    refusal("DH-905", 400, "Input_Exception", "System is unable to fetch data due to Incorrect parameters or no data present"),
    refusal("DH-906", 400, "Order_Error", "Incorrect request for order and cannot be processed."),
    refusal("DH-907", 400, "Data_Error", "System is unable to fetch data due to incorrect parameters or no data present."),
    refusal("DH-908", 500, "Internal_Server_Error", "Server was not able to process API request. This will only occur rarely."),
    refusal("DH-909", 503, "Network_Error", "Network error where the API was unable to communicate with the backend system."),
    refusal("DH-910", 400, "Others", "Error originating from other reasons."),
    refusal("DH-911", 403, "Invalid_IP", "IP is not whitelisted for this client."),
    refusal("DH-1111", 400, "HOLDING_ERROR", "No holdings available"),
    refusal("800", 500, "", "Internal Server Error"),
    refusal("804", 400, "", "Requested number of instruments exceeds limit"),
    refusal("805", 429, "", "Too many requests. Further requests may result in the user being blocked."),
    refusal("806", 403, "", "Data APIs not subscribed"),
    refusal("807", 401, "", "Access token is expired"),
    refusal("808", 401, "", "Authentication Failed - Client ID or Access Token invalid"),
    refusal("809", 401, "", "Access token is invalid"),
    refusal("810", 401, "", "Client ID is invalid"),
    refusal("811", 400, "", "Invalid Expiry Date"),
    refusal("812", 400, "", "Invalid Date Format"),
    refusal("813", 400, "", "Invalid SecurityId"),
    refusal("814", 400, "", "Invalid Request"),
];

impl Refusal {
    /// The error with this code; the one for everything else, if there is none.
    pub(super) fn of(code: &str) -> Self {
        Self::find(code).unwrap_or(OTHERS)
    }

    /// The error with this code.
    pub(super) fn find(code: &str) -> Option<Self> {
        ALL.iter().copied().find(|it| it.code == code)
    }

    /// The status it is told with.
    fn status(self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST)
    }

    /// The body it is told in.
    fn body(self) -> Value {
        if self.kind.is_empty() {
            return json!({"data": {self.code: self.message}, "status": "failed"});
        }
        json!({"errorType": self.kind, "errorCode": self.code, "errorMessage": self.message})
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        reply(self.status(), &self.body())
    }
}

const OTHERS: Refusal = refusal("DH-910", 400, "Others", "Error originating from other reasons.");

/// A path or a method that is not there; orders among them, for no order is ever placed here. Told in the
/// documented shape that has a status of its own.
pub(super) fn absent(status: StatusCode, message: &str) -> Response {
    let body = json!({
        "status": "failure", "errorType": OTHERS.kind, "errorCode": OTHERS.code, "errorMessage": message,
    });
    reply(status, &body)
}

/// An answer in JSON.
pub(super) fn reply(status: StatusCode, body: &Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}
