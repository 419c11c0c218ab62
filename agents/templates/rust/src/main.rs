//! A bot for the arena: strategy.rs decides, connection.rs talks to the referee.

mod connection;
mod strategy;
/// Generated from proto/ by ./generate; do not edit.
#[allow(clippy::all, dead_code)]
mod wire;

use std::error::Error;
use std::process::ExitCode;

use tokio::runtime::Builder;

fn main() -> ExitCode {
    // One thread: a bot plays on one core, and its limits count threads.
    let runtime = Builder::new_current_thread().enable_all().build();
    let ended = runtime
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(connection::play(strategy::choose)));
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", sentence(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}

/// An error and its cause.
fn sentence(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}
