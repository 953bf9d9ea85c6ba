//! What is wrong is told in a sentence, with what to do about it.

use toolwright_core::{ActionableError, ConversationId, Fault, RunId};
use toolwright_session::{EngineError, RunEngine, Wake};
use toolwright_testkit::http::{Answer, Server};

use crate::stage::{Running, Stage, Toy, engine, nobody};

fn told(error: &EngineError) -> String {
    format!("{error} | {}", error.advice().unwrap_or_default())
}

fn ended() -> std::sync::Arc<Toy> {
    Toy::new(|_, _| async { Ok(toolwright_session::Next::Ended) })
}

fn wake() -> Wake {
    Wake::now(ConversationId::from("a"), RunId::from("one"))
}

#[test]
fn an_address_that_is_none_is_told_before_anything_is_asked() {
    for wrong in ["127.0.0.1:8080", "ftp://host", "http://me:secret@host", "http://host/?x"] {
        let error = engine(wrong, None).unwrap_err();
        assert_eq!(error.fault(), Fault::Usage);
        let told = told(&error);
        assert!(told.starts_with("engine.ingress is not an address of Restate: "), "{told}");
        assert!(told.ends_with("set it as in http://127.0.0.1:8080"), "{told}");
        assert!(!told.contains("secret"), "{told}");
    }
    let told = told(&engine("http://127.0.0.1:8080", Some("nowhere")).unwrap_err());
    assert!(told.starts_with("engine.admin is not an address of Restate"), "{told}");
}

#[tokio::test]
async fn nobody_there_is_told_with_what_to_start() {
    let (ingress, admin) = (nobody(), nobody());
    let gone = engine(&ingress, Some(&admin)).unwrap();
    for error in [gone.check().await.unwrap_err(), gone.wake(wake()).await.unwrap_err()] {
        let told = told(&error);
        assert!(told.starts_with(&format!("Restate does not answer at {ingress}: ")), "{told}");
        assert!(told.contains("start restate-server"), "{told}");
        assert!(told.contains("TOOLWRIGHT_ENGINE_INGRESS"), "{told}");
    }
    let error = gone.admin().unwrap().register("http://127.0.0.1:9080", false).await.unwrap_err();
    assert!(told(&error).contains("TOOLWRIGHT_ENGINE_ADMIN"), "{}", told(&error));
}

#[tokio::test]
async fn a_version_that_this_was_not_made_for_is_told() {
    for version in ["1.6.2", "2.0.0"] {
        let body = format!(r#"{{"version":"{version}"}}"#);
        let old = Server::new(move |_| Answer::whole("application/json", body.clone()));
        let at = format!("http://{}", old.address);
        let ingress = Server::new(|_| Answer::whole("application/json", r#"{"services":[]}"#));
        let ingress = format!("http://{}", ingress.address);
        let error = engine(&ingress, Some(&at)).unwrap().check_admin().await.unwrap_err();
        assert_eq!(error.fault(), Fault::NotConfigured);
        let told = told(&error);
        assert!(
            told.contains(&format!("has version {version}; this program works with 1.7")),
            "{told}"
        );
        assert!(told.ends_with("run a restate-server of version 1.7 or later, before 2"), "{told}");
    }
}

/// Workers and servers may reach the one port and not the other.
#[tokio::test]
async fn where_only_looking_after_is_missing_runs_are_driven() {
    let ingress = Server::new(|_| Answer::whole("application/json", r#"{"services":[]}"#));
    let (ingress, admin) = (format!("http://{}", ingress.address), nobody());
    let engine = engine(&ingress, Some(&admin)).unwrap();
    assert_eq!(engine.check().await, Ok(()));
    let error = engine.check_admin().await.unwrap_err();
    assert_eq!(error.fault(), Fault::Failure);
    let told = told(&error);
    assert!(told.starts_with(&format!("Restate does not answer at {admin}: ")), "{told}");
    assert!(told.contains("Runs are driven all the same"), "{told}");
    assert!(told.contains("open that port to this machine, or set engine.admin"), "{told}");
    let without = crate::stage::engine(&ingress, None).unwrap();
    assert_eq!((without.check().await, without.check_admin().await), (Ok(()), Ok(())));
}

#[tokio::test]
async fn somebody_else_at_that_port_is_told() {
    let page = Server::new(|_| Answer::new("404 Not Found", &[("Content-Length", "2")], "no"));
    let at = format!("http://{}", page.address);
    let other = engine(&at, Some(&at)).unwrap();
    for error in [other.check().await.unwrap_err(), other.wake(wake()).await.unwrap_err()] {
        let told = told(&error);
        let said = format!("something else than Restate answers at {at}: it answered with 404");
        assert!(told.starts_with(&said), "{told}");
        assert!(told.contains("set engine.ingress"), "{told}");
        assert!(told.contains("8080 unless it was changed"), "{told}");
    }
    // What wants to know who asks may stand before Restate.
    let door = Server::new(|_| Answer::new("401 Unauthorized", &[("Content-Length", "0")], ""));
    let at = format!("http://{}", door.address);
    let other = engine(&at, Some(&at)).unwrap();
    let seen =
        [(other.check().await, "engine.ingress"), (other.check_admin().await, "engine.admin")];
    for (seen, setting) in seen {
        let told = told(&seen.unwrap_err());
        let said = format!(
            "something else than Restate answers at {at}: it answered with 401, and wants to know who asks"
        );
        assert!(told.starts_with(&said), "{told}");
        assert!(told.contains(&format!("set {setting}, or TOOLWRIGHT_ENGINE_")), "{told}");
    }
}

#[test]
fn restate_itself_refuses_with_what_to_do() {
    let stage = Stage::new(ended());
    let right = stage.engine();
    stage.wait(right.check()).unwrap();
    let error = stage.wait(right.wake(wake())).unwrap_err();
    let said = told(&error);
    assert!(
        said.starts_with("no worker was registered with Restate at http://127.0.0.1:"),
        "{said}"
    );
    assert!(said.contains("toolwright worker --register"), "{said}");

    let admin = right.admin().unwrap();
    let said = |uri: &str| told(&stage.wait(admin.register(uri, false)).unwrap_err());
    let nobody = said(&nobody());
    assert!(nobody.starts_with("Restate cannot ask the worker at "), "{nobody}");
    assert!(nobody.contains("127.0.0.1 in a container is the container itself"), "{nobody}");
    let server = Server::new(|_| Answer::whole("application/json", r#"{"status":"ok"}"#));
    let server = said(&format!("http://{}", server.address));
    assert!(server.starts_with("a server answers at http://127.0.0.1:"), "{server}");
    assert!(server.contains("start `toolwright worker`"), "{server}");
    let nonsense = said("nonsense");
    assert!(nonsense.contains("give a whole address"), "{nonsense}");

    // The two ports, the wrong way round; or one of them twice.
    let (ingress, admin) = (&stage.server.ingress, &stage.server.admin);
    let swapped = engine(admin, Some(ingress)).unwrap();
    let said = told(&stage.wait(swapped.check()).unwrap_err());
    assert!(said.starts_with("engine.ingress and engine.admin are swapped: at "), "{said}");
    assert!(said.contains(&format!("set engine.ingress to {ingress}")), "{said}");
    for said in [
        told(&stage.wait(swapped.admin().unwrap().version()).unwrap_err()),
        told(&stage.wait(swapped.admin().unwrap().register("http://a", false)).unwrap_err()),
    ] {
        assert!(said.starts_with("engine.admin and engine.ingress are swapped: at "), "{said}");
        assert!(said.contains(&format!("set engine.admin to {admin}")), "{said}");
    }
    let both = |at: &str| engine(at, Some(at)).unwrap();
    let said = told(&stage.wait(both(admin).check()).unwrap_err());
    assert!(said.contains("there Restate is looked after: that belongs in engine.admin"), "{said}");
    let said = told(&stage.wait(both(ingress).check_admin()).unwrap_err());
    assert!(
        said.contains("there Restate takes calls in: that belongs in engine.ingress"),
        "{said}"
    );

    // A worker says that it is well, too; and others say yes to anything.
    let worker = stage.worker();
    let at = format!("http://{}", worker.addr);
    let driving = stage.wait(engine(&at, Some(admin)).unwrap().check());
    let check_admin = stage.wait(engine(ingress, Some(&at)).unwrap().check_admin());
    for seen in [driving, check_admin] {
        let said = told(&seen.unwrap_err());
        assert!(said.contains(&format!("{at}, and a worker answers there")), "{said}");
        assert!(said.contains("unless it was changed"), "{said}");
    }
}

#[tokio::test]
async fn somebody_who_says_yes_to_anything_is_not_restate() {
    for body in ["", "{}", r#"{"services":"all"}"#, "<html>"] {
        let yes = Server::new(move |_| Answer::whole("application/json", body));
        let at = format!("http://{}", yes.address);
        let other = engine(&at, Some(&at)).unwrap();
        let register = other.admin().unwrap().register("http://a", false).await.map(drop);
        for error in [other.check().await, other.wake(wake()).await, register] {
            let told = told(&error.unwrap_err());
            let said = format!("something else than Restate answers at {at}");
            assert!(told.starts_with(&said), "{body}: {told}");
        }
    }
}

/// Restate passes on all that a balancer answered: its headers, and its page.
#[tokio::test]
async fn a_balancer_without_a_healthy_worker_is_told_in_a_sentence() {
    let said = "[META0003] got status code '503 Service Unavailable'. Response headers: {\\\"content-type\\\": \
        \\\"text/html\\\"}. Body: <html><body><h1>503 Service Unavailable</h1></body></html>";
    let refused = format!(r#"{{"message":"{said}","restate_code":"META0003"}}"#);
    let admin = Server::new(move |request| {
        if request.path.contains("version") {
            return Answer::whole("application/json", r#"{"version":"1.7.0"}"#);
        }
        let (status, body) = match request.path.contains("services") {
            true => ("404 Not Found", r#"{"message":"not found"}"#.to_owned()),
            false => ("500 Internal Server Error", refused.clone()),
        };
        let length = body.len().to_string();
        Answer::new(status, &[("Content-Length", &length)], body)
    });
    let restate = engine(&nobody(), Some(&format!("http://{}", admin.address))).unwrap();
    let error = restate.admin().unwrap().register("http://127.0.0.1:9", false).await.unwrap_err();
    assert_eq!(error.fault(), Fault::Failure);
    assert_eq!(
        error.to_string(),
        "what stands before the workers at http://127.0.0.1:9 has no healthy worker: it answers 503 Service Unavailable"
    );
    assert!(error.advice().unwrap().starts_with("start workers, or see why the balancer"));
}

#[test]
fn a_port_that_is_taken_is_told() {
    let worker = Running::start(&ended(), 0, toolwright_durable::WorkerSettings::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let again = toolwright_durable::Worker::bind(
        worker.addr,
        std::sync::Arc::new(Nothing),
        toolwright_durable::WorkerSettings::default(),
    );
    let Err(error) = runtime.block_on(again) else { panic!("somebody listens there") };
    assert_eq!(error.fault(), Fault::Usage);
    let said = told(&error);
    assert!(said.starts_with(&format!("the worker cannot listen at {}", worker.addr)), "{said}");
    assert!(said.contains("choose another address with --addr"), "{said}");
}

struct Nothing;

impl toolwright_session::SliceDriver for Nothing {
    fn slice(
        &self,
        _: toolwright_session::Slice,
    ) -> toolwright_session::EngineFuture<
        Result<toolwright_session::Next, toolwright_session::SliceError>,
    > {
        Box::pin(async { Ok(toolwright_session::Next::Ended) })
    }

    fn drain(&self) {}
}
