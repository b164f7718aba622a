//! A page without a browser.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_util::{SinkExt, StreamExt};
use prost::Message as _;
use retake_msgs::host_message::Message as Told;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{
    BrowseSignals, Hello, HostMessage, LoadPlotLayout, LogStart, LogStop, LookBack,
    PROTOCOL_VERSION, PageMessage, PlotView, Request, Watch, WatchPlots, request,
};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::deeds::{self, Deed, Known};
use crate::tally::Tally;

/// How long a reply may take; only a host that has forgotten it takes as long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Two plots, with few samples so that they are full soon.
const LAYOUT: &str = r#"{"version": 1, "tab": [{"id": "t", "plot": [
  {"id": "p", "bufferSamples": "20000", "curve": [
    {"id": "a", "signal": "vehicle::chassis::linear_velocity.x"},
    {"id": "b", "signal": "cone_1::link::position.z"},
    {"id": "c", "signal": "speed"}]},
  {"id": "q", "bufferSamples": "20000", "rateHz": 100, "curve": [
    {"id": "d", "signal": "cone_2::link::position.x"}]}]}],
 "derived": [{"name": "speed",
  "expression": "sqrt(\"vehicle::chassis::linear_velocity.x\"^2) + integral(1)"}]}"#;

/// Lives, leaves and comes back until all ends.
pub(crate) fn live(address: &str, number: usize, mut rng: Rng, tally: &Tally, ended: &AtomicBool) {
    let who = format!("page {number}");
    let built = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match built {
        Ok(runtime) => runtime,
        Err(error) => return tally.lost(&who, &format!("no runtime: {error}")),
    };
    while !ended.load(Ordering::Relaxed) {
        let life = async {
            match rng.u8(..6) {
                0 => hurry(address, &mut rng, tally).await,
                _ => {
                    let mut page = Page::open(address, &who).await?;
                    tally.connected();
                    page.act(number, &mut rng, tally, ended).await
                }
            }
        };
        if let Err(why) = runtime.block_on(life) {
            tally.lost(&who, &why);
            // Not to fill the screen when the host is gone.
            std::thread::sleep(Duration::from_secs(1));
        }
    }
}

/// Comes and goes, without a word.
async fn hurry(address: &str, rng: &mut Rng, tally: &Tally) -> Result<(), String> {
    for _ in 0..rng.usize(1..20) {
        drop(Page::open(address, "hurry").await?);
        tally.connected();
    }
    Ok(())
}

struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    who: String,
    known: Known,
    asked: u64,
    waiting: BTreeSet<u64>,
    looking_back: bool,
}

impl Page {
    async fn open(address: &str, who: &str) -> Result<Self, String> {
        let wrong = |error: &dyn std::fmt::Display| format!("no connection: {error}");
        let mut request =
            format!("ws://{address}/ws").into_client_request().map_err(|error| wrong(&error))?;
        let origin = format!("http://{address}").parse().map_err(|_| "no origin".to_owned())?;
        request.headers_mut().insert("Origin", origin);
        let connected = tokio_tungstenite::connect_async(request).await;
        let (socket, _) = connected.map_err(|error| wrong(&error))?;
        let (known, waiting) = Default::default();
        let who = who.to_owned();
        let mut page = Self { socket, who, known, asked: 0, waiting, looking_back: false };
        let client_name = page.who.clone();
        page.say(Said::Hello(Hello { protocol_version: PROTOCOL_VERSION, client_name })).await?;
        Ok(page)
    }

    async fn say(&mut self, said: Said) -> Result<(), String> {
        let mut bytes = 1u32.to_le_bytes().to_vec();
        bytes.extend(PageMessage { message: Some(said) }.encode_to_vec());
        let sent = self.socket.send(Message::Binary(bytes.into())).await;
        sent.map_err(|error| format!("the host hung up: {error}"))
    }

    async fn ask(&mut self, request: request::Request) -> Result<(), String> {
        self.asked += 1;
        self.waiting.insert(self.asked);
        let request = Request { request_id: self.asked, request: Some(request) };
        self.say(Said::Request(request)).await
    }

    /// Does one thing after the other for a while.
    async fn act(
        &mut self,
        number: usize,
        rng: &mut Rng,
        tally: &Tally,
        ended: &AtomicBool,
    ) -> Result<(), String> {
        let leave_at = Instant::now() + Duration::from_secs(rng.u64(3..40));
        let mut last_heard = Instant::now();
        loop {
            let leaving = ended.load(Ordering::Relaxed) || Instant::now() > leave_at;
            if leaving && self.waiting.is_empty() {
                break;
            }
            if last_heard.elapsed() > PATIENCE {
                tally.unanswered(&self.who, self.waiting.len());
                break;
            }
            let pause = Duration::from_millis(rng.u64(20..250));
            match tokio::time::timeout(pause, self.socket.next()).await {
                Ok(Some(Ok(message))) => {
                    last_heard = Instant::now();
                    self.hear(&message, tally);
                }
                Ok(Some(Err(error))) => return Err(format!("the host hung up: {error}")),
                Ok(None) => return Err("the host hung up".to_owned()),
                Err(_) => {}
            }
            // Messages come all the time; an own deed comes now and then between them.
            if !leaving && self.waiting.len() < 16 && rng.u8(..20) == 0 {
                self.do_something(number, rng).await?;
            }
        }
        if rng.bool() {
            // Otherwise the line just breaks.
            self.socket.close(None).await.ok();
        }
        Ok(())
    }

    fn hear(&mut self, message: &Message, tally: &Tally) {
        let Message::Binary(bytes) = message else { return };
        let Some((kind, rest)) = bytes.split_first_chunk::<4>() else { return };
        if u32::from_le_bytes(*kind) != 1 {
            return;
        }
        match HostMessage::decode(rest).ok().and_then(|told| told.message) {
            Some(Told::Reply(reply)) => {
                if self.waiting.remove(&reply.request_id) {
                    tally.answered(reply.ok);
                } else {
                    tally.lost(&self.who, "a reply came twice, or to nothing");
                }
            }
            Some(Told::History(history)) => self.known.history = history,
            Some(Told::Timeline(timeline)) => self.known.timeline = timeline,
            _ => {}
        }
    }

    async fn do_something(&mut self, number: usize, rng: &mut Rng) -> Result<(), String> {
        match deeds::choose(&self.who, &self.known, rng) {
            Deed::Command(command) => self.ask(request::Request::Command(command)).await,
            Deed::UndoRedo(undo) => self.ask(request::Request::UndoRedo(undo)).await,
            Deed::Control(control) => self.ask(request::Request::Control(control)).await,
            Deed::Timeline(edit) => self.ask(request::Request::TimelineEdit(edit)).await,
            Deed::Own => self.do_own(number, rng).await,
        }
    }

    async fn do_own(&mut self, number: usize, rng: &mut Rng) -> Result<(), String> {
        match rng.u8(..12) {
            0 => {
                let json = LAYOUT.to_owned();
                self.ask(request::Request::LoadPlotLayout(LoadPlotLayout { json })).await
            }
            1 | 2 => {
                let view = |id: &str| PlotView {
                    plot_id: id.to_owned(),
                    pixels: 800,
                    ..PlotView::default()
                };
                let view = vec![view("p"), view("q")];
                self.say(Said::WatchPlots(WatchPlots { view })).await
            }
            3 => self.say(Said::Watch(Watch { entity: (0..rng.u64(1..60)).collect() })).await,
            4 => {
                let browse = BrowseSignals { search: "cone".to_owned(), ..Default::default() };
                self.ask(request::Request::BrowseSignals(browse)).await
            }
            // One records; what it writes is thrown away by whoever started all this.
            5 | 6 if number == 0 => self.ask(request::Request::LogStart(LogStart::default())).await,
            7 if number == 0 => self.ask(request::Request::LogStop(LogStop {})).await,
            _ => self.look_back(rng).await,
        }
    }

    /// Looks at an instant of the past, and back at the present the next time.
    async fn look_back(&mut self, rng: &mut Rng) -> Result<(), String> {
        let instant = match self.looking_back {
            true => None,
            false => deeds::instant(&self.known.timeline, rng),
        };
        self.looking_back = instant.is_some();
        self.ask(request::Request::LookBack(LookBack { instant })).await
    }
}
