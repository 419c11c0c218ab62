//! The conversation with the referee: says hello, then answers every frame with one message. Nothing to edit here.

use std::collections::HashMap;
use std::env;
use std::error::Error;

use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::{Endpoint, Uri};

use crate::wire::arena::wire::v1::referee_service_client::RefereeServiceClient;
use crate::wire::arena::wire::v1::{message, play_request};
use crate::wire::arena::wire::v1::{
    Decision, DecisionRequested, Decisions, Hello, MatchStarted, PlayRequest, PlayResponse,
};

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;
/// From a match and a question in it to the index of the action chosen.
type Choose = fn(&MatchStarted, &DecisionRequested) -> Result<usize>;

const MAX_FRAME_BYTES: usize = 64 << 20;

/// Plays all matches that the referee has for this process, then returns.
pub async fn play(choose: Choose) -> Result<()> {
    let (Ok(socket), Ok(token)) = (env::var("ARENA_SOCKET"), env::var("ARENA_TOKEN")) else {
        return Err("this is a bot: start it with `arena match --game GAME --bots FOLDER,random`".into());
    };
    let endpoint = Endpoint::from_shared(format!("unix:{socket}"))?.origin(Uri::from_static("http://localhost"));
    let mut referee = RefereeServiceClient::new(endpoint.connect().await?).max_decoding_message_size(MAX_FRAME_BYTES);

    let (requests, outgoing) = mpsc::channel(1);
    let client = concat!("arena-template-rust/", env!("CARGO_PKG_VERSION")).into();
    requests
        .send(request(play_request::Message::Hello(Hello { token, client })))
        .await?;
    let mut frames = referee.play(ReceiverStream::new(outgoing)).await?.into_inner();

    let mut matches = HashMap::new();
    while let Some(frame) = frames.message().await? {
        let decisions = answers(&mut matches, frame, choose)?;
        if !decisions.is_empty() {
            requests
                .send(request(play_request::Message::Decisions(Decisions { decisions })))
                .await?;
        }
    }
    Ok(())
}

/// The answers to all questions of a frame.
fn answers(matches: &mut HashMap<String, MatchStarted>, frame: PlayResponse, choose: Choose) -> Result<Vec<Decision>> {
    let mut decisions = Vec::new();
    for message in frame.messages.into_iter().filter_map(|message| message.message) {
        match message {
            message::Message::MatchStarted(started) => {
                matches.insert(started.match_id.clone(), started);
            }
            message::Message::DecisionRequested(asked) => {
                let started = matches
                    .get(&asked.match_id)
                    .ok_or("expected a match that has started")?;
                let action_index = u32::try_from(choose(started, &asked)?)?;
                decisions.push(Decision {
                    match_id: asked.match_id,
                    decision: asked.decision,
                    action_index,
                });
            }
            message::Message::MatchEnded(ended) => {
                matches.remove(&ended.match_id);
            }
            message::Message::Welcome(_) => {}
        }
    }
    Ok(decisions)
}

fn request(message: play_request::Message) -> PlayRequest {
    PlayRequest { message: Some(message) }
}
