//! What people asked and what tools returned, for the answers in the corpus.

use serde_json::json;
use toolwright_core::{Conversation, Message, Outcome};

use super::returned;

pub(super) fn trading() -> Conversation {
    let mut talk = Conversation::new();
    talk.push(Message::system(
        "You are a trading assistant. Today is Friday, 5 January 2024. Prices are in rupees.",
    ));
    talk.push(Message::user("How is Nifty doing today, and how are my holdings?"));
    let search = json!({"security_id": 13, "symbol_name": "NIFTY", "exchange_segment": "IDX_I", "instrument_type": "INDEX"});
    talk.push(Message::tool("1", "search_instruments", Outcome::ok(search.to_string())));
    let quote = json!({"IDX_I": {"13": {
        "last_price": 21710.8,
        "ohlc": {"open": 21705.75, "high": 21749.6, "low": 21629.2, "close": 21658.6},
        "net_change": 52.2,
        "52_week_high": 21834.35,
        "last_trade_time": "05/01/2024 15:30:00"
    }}});
    talk.push(Message::tool("2", "get_market_quote", Outcome::ok(quote.to_string())));
    let holdings = json!([
        {"tradingSymbol": "INFY", "isin": "INE009A01021", "totalQty": 120, "avgCostPrice": 1412.55, "lastTradedPrice": 1531.2},
        {"tradingSymbol": "RELIANCE", "isin": "INE002A01018", "totalQty": 45, "avgCostPrice": 2480.0, "lastTradedPrice": 2607.65},
        {"tradingSymbol": "TATAMOTORS", "isin": "INE155A01022", "totalQty": 200, "avgCostPrice": 655.3, "lastTradedPrice": 790.15}
    ]);
    talk.push(Message::tool("3", "get_holdings", Outcome::ok(holdings.to_string())));
    talk
}

pub(super) fn history() -> Conversation {
    let mut talk = Conversation::new();
    talk.push(Message::user("Which Rust videos did I watch lately?"));
    let found = json!({"query": "rust", "total": 214, "results": [
        {"title": "Rust Ownership Explained Visually", "channel": "Let's Get Rusty", "video_id": "VFIOSWy93H0", "url": "https://www.youtube.com/watch?v=VFIOSWy93H0", "watched": "2 days ago", "duration": "12:44", "relevance": 0.934},
        {"title": "Async Rust: the good, the bad and the ugly", "channel": "Jon Gjengset", "video_id": "bnmln9HtqEI", "url": "https://www.youtube.com/watch?v=bnmln9HtqEI", "watched": "5 days ago", "duration": "1:02:17", "relevance": 0.887},
        {"title": "Building a Database in Rust", "channel": "No Boilerplate", "video_id": "5C_HPTJg5ek", "url": "https://www.youtube.com/watch?v=5C_HPTJg5ek", "watched": "3 weeks ago", "duration": "9:58", "relevance": 0.8125},
        {"title": "Why Discord moved from Go to Rust", "channel": "ThePrimeTime", "video_id": "pwCZm4hvpAw", "url": "https://www.youtube.com/watch?v=pwCZm4hvpAw", "watched": "1 month ago", "duration": "27:05", "relevance": 0.76}
    ]});
    let text = "4 of 214 entries, best first:\n1. Rust Ownership Explained Visually (Let's Get Rusty), 2 days ago, 93%";
    talk.push(Message::tool("1", "search_history", Outcome::ok(text).with_data(found)));
    talk
}

pub(super) fn evening() -> Conversation {
    let mut talk = Conversation::new();
    talk.push(Message::user(
        "What's the weather in San Francisco and calculate a 20% tip on $45.60?",
    ));
    let weather =
        "Weather in San Francisco, CA: 72°F, sunny, wind NW 12 mph, humidity 58%, sunset 19:42";
    talk.push(Message::tool("1", "get_weather", Outcome::ok(weather)));
    let tip = json!({"tip": 9.12, "total": 54.72});
    talk.push(Message::tool("2", "calculate_tip", Outcome::ok(tip.to_string())));
    talk
}

pub(super) fn cluster() -> Conversation {
    let mut talk = Conversation::new();
    talk.push(Message::user("Why is the checkout service slow?"));
    let pods = json!({"namespace": "shop", "pods": [
        {"name": "checkout-7d9f8b6c5-x2x7k", "status": "Running", "restarts": 14, "cpu": "870m", "memory_bytes": 1_503_238_553_u64, "started_at": 1_704_412_800},
        {"name": "checkout-7d9f8b6c5-qq4lm", "status": "CrashLoopBackOff", "restarts": 37, "cpu": "12m", "memory_bytes": 134_217_728, "started_at": 1_704_441_600}
    ], "image": "registry.example.com/shop/checkout:2.14.3"});
    talk.push(Message::tool("1", "list_pods", Outcome::ok(pods.to_string())));
    let log = "2024-01-05T08:41:07Z ERROR pool timeout after 30000 ms (10.0.14.7:5432)\n2024-01-05T08:41:09Z WARN p99 latency 4.82s, error rate 0.0375";
    talk.push(Message::tool("2", "read_log", Outcome::ok(log)));
    talk
}

pub(super) fn flights() -> Conversation {
    returned(
        "Flights from Delhi to London on 12 March?",
        &[json!({"flights": [
            {"flight": "AI 161", "from": "DEL", "to": "LHR", "departure": "2025-03-12T02:45:00+05:30", "arrival": "2025-03-12T07:05:00+00:00", "duration_minutes": 590, "price": {"amount": 48250, "currency": "INR"}, "seats_left": 4},
            {"flight": "BA 142", "from": "DEL", "to": "LHR", "departure": "2025-03-12T10:35:00+05:30", "arrival": "2025-03-12T14:55:00+00:00", "duration_minutes": 595, "price": {"amount": 61780, "currency": "INR"}, "seats_left": 19}
        ]})],
    )
}

pub(super) fn github() -> Conversation {
    returned(
        "What's open in toolwright?",
        &[json!([
            {"number": 1482, "title": "Panic when the schema has a $ref loop", "state": "open", "user": {"login": "mkessler"}, "created_at": "2025-02-17T11:03:22Z", "comments": 7, "labels": ["bug", "schema"]},
            {"number": 1475, "title": "Support Anthropic prompt caching", "state": "open", "user": {"login": "dana-ortiz"}, "created_at": "2025-02-11T08:30:00Z", "comments": 23, "labels": ["enhancement"]}
        ])],
    )
}

pub(super) fn sql() -> Conversation {
    returned(
        "Top customers by revenue last quarter?",
        &[
            json!({"columns": ["customer", "revenue", "orders"], "rows": [["Hartmann GmbH", 184320.5, 42], ["Nordlys AS", 151004.25, 37], ["Ferreira & Filhos", 98750.0, 61]], "row_count": 3}),
        ],
    )
}

pub(super) fn calendar() -> Conversation {
    returned(
        "What's on my calendar tomorrow?",
        &[json!({"date": "2025-06-18", "events": [
            {"title": "Standup", "start": "09:30", "end": "09:45", "attendees": ["Priya Raman", "Tom Becker"]},
            {"title": "Design review: billing", "start": "13:00", "end": "14:30", "attendees": ["Priya Raman", "Wei Zhang", "Tom Becker"], "location": "Room Curie"},
            {"title": "Dentist", "start": "17:15", "end": "18:00", "attendees": []}
        ]})],
    )
}

pub(super) fn crypto() -> Conversation {
    returned(
        "btc and eth price?",
        &[
            json!({"bitcoin": {"usd": 67123.45, "usd_24h_change": -2.3478, "usd_market_cap": 1322450987654.12}}),
            json!({"ethereum": {"usd": 3456.78, "usd_24h_change": 1.1023, "usd_market_cap": 415330123456.78}}),
        ],
    )
}

pub(super) fn shop() -> Conversation {
    returned(
        "Find me wireless headphones under 150 euros",
        &[json!({"results": [
            {"sku": "SNY-WHCH720", "name": "Sony WH-CH720N", "price_eur": 99.0, "rating": 4.4, "reviews": 3182, "battery_h": 35},
            {"sku": "JBL-T770NC", "name": "JBL Tune 770NC", "price_eur": 89.99, "rating": 4.3, "reviews": 5120, "battery_h": 70},
            {"sku": "SEN-ACC", "name": "Sennheiser Accentum", "price_eur": 139.95, "rating": 4.5, "reviews": 987, "battery_h": 50}
        ], "total_results": 48})],
    )
}

pub(super) fn forecast() -> Conversation {
    returned(
        "Weather in Tokyo this week?",
        &[json!(
            "Tokyo forecast\nMon 3 Nov: 18C / 11C, partly cloudy, rain 10%\nTue 4 Nov: 20C / 12C, sunny, rain 0%\nWed 5 Nov: 16C / 10C, showers, rain 70%\nThu 6 Nov: 15C / 9C, showers, rain 60%"
        )],
    )
}

pub(super) fn wiki() -> Conversation {
    returned(
        "Who designed the Eiffel Tower?",
        &[json!(
            "The Eiffel Tower is a wrought-iron lattice tower on the Champ de Mars in Paris, France. It is named after the engineer Gustave Eiffel, whose company designed and built the tower from 1887 to 1889. It is 330 metres (1,083 ft) tall. Design: Maurice Koechlin and Émile Nouguier."
        )],
    )
}

pub(super) fn files() -> Conversation {
    returned(
        "How big is the logs folder?",
        &[
            json!({"path": "/var/log", "files": 132, "total_bytes": 5_368_709_120_u64, "largest": [{"name": "syslog.1", "bytes": 2_147_483_648_u64}, {"name": "auth.log", "bytes": 734_003_200}]}),
        ],
    )
}

pub(super) fn options() -> Conversation {
    returned(
        "Nifty option chain",
        &[json!({"underlying": 24350.75, "expiry": "2025-07-31", "chain": [
            {"strike": 24300, "ce": {"ltp": 182.4, "oi": 1254300, "iv": 11.82}, "pe": {"ltp": 131.05, "oi": 2098725, "iv": 12.4}},
            {"strike": 24350, "ce": {"ltp": 154.6, "oi": 987525, "iv": 11.7}, "pe": {"ltp": 153.2, "oi": 1120050, "iv": 12.3}},
            {"strike": 24400, "ce": {"ltp": 129.3, "oi": 2450175, "iv": 11.6}, "pe": {"ltp": 178.1, "oi": 845025, "iv": 12.2}}
        ]})],
    )
}

pub(super) fn fitness() -> Conversation {
    returned(
        "How did I sleep and train this week?",
        &[
            json!({"sleep": [{"day": "Mon", "hours": 7.4}, {"day": "Tue", "hours": 6.1}, {"day": "Wed", "hours": 8.0}], "runs": [{"date": "2025-05-12", "distance_m": 8450, "duration_s": 2712, "avg_hr": 152}, {"date": "2025-05-14", "distance_m": 12030, "duration_s": 3996, "avg_hr": 147}], "resting_hr": 54, "steps_total": 61234}),
        ],
    )
}

pub(super) fn fx() -> Conversation {
    returned(
        "Convert 250 USD to EUR and INR",
        &[json!({"base": "USD", "rates": {"EUR": 0.9213, "INR": 83.42}, "timestamp": 1718000000})],
    )
}

pub(super) fn bank() -> Conversation {
    returned(
        "What did I spend on groceries in May?",
        &[json!({"category": "groceries", "currency": "GBP", "transactions": [
            {"date": "2025-05-03", "merchant": "Tesco", "amount": -48.2}, {"date": "2025-05-09", "merchant": "Lidl", "amount": -31.75}, {"date": "2025-05-17", "merchant": "Tesco", "amount": -52.4}, {"date": "2025-05-28", "merchant": "Waitrose", "amount": -87.15}
        ], "total": -219.5})],
    )
}

pub(super) fn empty() -> Conversation {
    returned("Any video about gardening?", &[json!({"results": [], "total": 0})])
}

pub(super) fn order() -> Conversation {
    returned(
        "Buy 10 TCS at market",
        &[
            json!({"orderId": "112111182198", "orderStatus": "TRADED", "tradedPrice": 3891.4, "tradedQuantity": 10}),
        ],
    )
}

pub(super) fn doc() -> Conversation {
    returned(
        "What does the policy say about refunds?",
        &[json!(
            "Refund Policy (v3.2, effective 1 April 2024)\n\n1. Customers may return items within 30 days of delivery.\n2. Refunds are issued within 5-7 business days to the original payment method.\n3. A restocking fee of 15% applies to opened electronics.\n4. Contact support@acme-shop.example or +1 (800) 555-0199."
        )],
    )
}

pub(super) fn football() -> Conversation {
    returned(
        "Premier League table top 3?",
        &[
            json!([{"pos": 1, "team": "Arsenal", "played": 28, "won": 20, "drawn": 4, "lost": 4, "gf": 70, "ga": 24, "points": 64}, {"pos": 2, "team": "Liverpool", "played": 28, "won": 19, "drawn": 7, "lost": 2, "gf": 65, "ga": 26, "points": 64}, {"pos": 3, "team": "Manchester City", "played": 28, "won": 19, "drawn": 6, "lost": 3, "gf": 63, "ga": 28, "points": 63}]),
        ],
    )
}

pub(super) fn movies() -> Conversation {
    returned(
        "Recommend a sci-fi film on my list",
        &[
            json!([{"title": "Arrival", "year": 2016, "runtime": 116, "director": "Denis Villeneuve", "imdb": 7.9, "genres": ["Sci-Fi", "Drama"]}, {"title": "Moon", "year": 2009, "runtime": 97, "director": "Duncan Jones", "imdb": 7.8, "genres": ["Sci-Fi"]}, {"title": "Blade Runner 2049", "year": 2017, "runtime": 164, "director": "Denis Villeneuve", "imdb": 8.0, "genres": ["Sci-Fi"]}]),
        ],
    )
}

pub(super) fn deploy() -> Conversation {
    returned(
        "Did last night's deploy work?",
        &[
            json!({"pipeline": 88231, "status": "failed", "stages": [{"name": "build", "status": "success", "duration": 184.2}, {"name": "test", "status": "failed", "duration": 612.9, "failed_tests": 3, "total_tests": 1874}], "commit": "9f8e7d6c5b4a", "author": "lena.fischer", "finished_at": "2025-07-02T23:14:55Z", "url": "https://ci.example.net/p/88231"}),
        ],
    )
}

pub(super) fn hotel() -> Conversation {
    returned(
        "Find a hotel in Lisbon for 3 nights from Aug 8",
        &[
            json!({"hotels": [{"name": "Hotel Avenida Palace", "stars": 5, "price_per_night": 212.0, "total": 636.0, "rating": 9.1, "distance_km": 0.4}, {"name": "My Story Hotel Rossio", "stars": 3, "price_per_night": 139.5, "total": 418.5, "rating": 8.6, "distance_km": 0.2}], "currency": "EUR", "check_in": "2025-08-08", "check_out": "2025-08-11"}),
        ],
    )
}

pub(super) fn mail() -> Conversation {
    returned(
        "Summarise my unread mail",
        &[
            json!([{"from": "Sofia Marino <sofia@contoso.example>", "subject": "Budget Q3", "received": "2025-09-01T06:58:00Z", "snippet": "Hi, we need your numbers by Thursday. We are 4.5% over plan (EUR 38,200)."}, {"from": "noreply@parcel.example", "subject": "Your parcel 00340434161094 arrives today", "received": "2025-09-01T08:12:00Z", "snippet": "Between 14:00 and 16:00."}]),
        ],
    )
}

pub(super) fn nutrition() -> Conversation {
    returned(
        "calories in 2 eggs and toast?",
        &[
            json!([{"food": "egg, boiled", "per": "1 large (50 g)", "kcal": 78, "protein_g": 6.3, "fat_g": 5.3}, {"food": "toast, wholegrain", "per": "1 slice (33 g)", "kcal": 87, "protein_g": 4.1, "fat_g": 1.2}]),
        ],
    )
}

pub(super) fn traffic() -> Conversation {
    returned(
        "How long to the airport?",
        &[
            json!({"route": "A5", "distance_m": 23840, "duration_s": 1680, "duration_in_traffic_s": 2310, "destination": "Frankfurt Airport (FRA)"}),
        ],
    )
}

pub(super) fn metrics() -> Conversation {
    returned(
        "How did signups develop?",
        &[
            json!({"weekly": [{"week": "2025-W20", "signups": 1240}, {"week": "2025-W21", "signups": 1388}, {"week": "2025-W22", "signups": 1175}, {"week": "2025-W23", "signups": 1602}]}),
        ],
    )
}

pub(super) fn funds() -> Conversation {
    returned(
        "How are my mutual funds?",
        &[
            json!({"funds": [{"scheme": "Parag Parikh Flexi Cap Fund", "units": 1523.412, "nav": 78.34, "invested": 85000, "current": 119344.1, "xirr": 18.7}, {"scheme": "HDFC Mid-Cap Opportunities", "units": 410.25, "nav": 168.9, "invested": 50000, "current": 69291.23, "xirr": 15.2}], "as_of": "2025-06-30"}),
        ],
    )
}
