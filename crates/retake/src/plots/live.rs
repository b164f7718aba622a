//! Records a running server for a while.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::bail;
use retake_board::Board;
use retake_introspection::{IntrospectionClient, Sampled, Watch};
use retake_msgs::{TimeJumped, names};
use retake_transport::{Guard, MessageRef, Name, typed};

use crate::link::{BusLink, Link};
use crate::live::topic;
use crate::output::remark;

/// How often it is looked after what is heard.
const LOOK: Duration = Duration::from_millis(50);
/// How long a world may stand still before that is told.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn record(board: Board, seconds: f64, server: Option<&str>) -> anyhow::Result<Board> {
    let link = BusLink::connect(server)?;
    let board = Arc::new(Mutex::new(board));
    let mut heard = Heard::start(&link, &board)?;
    let mut first = None;
    let mut moved = (Instant::now(), f64::NAN, false);
    loop {
        heard.keep()?;
        std::thread::sleep(LOOK);
        let mut board = lock(&board);
        board.settle();
        let now = board.now_secs();
        let begun = *first.get_or_insert(now);
        // Undo takes the clock back; what is recorded goes on all the same.
        first = Some(begun.min(now));
        if now - begun >= seconds {
            break;
        }
        if now != moved.1 {
            moved = (Instant::now(), now, false);
        } else if moved.0.elapsed() > PATIENCE && !moved.2 {
            remark("The world stands still. It goes on with: retake world play");
            moved.2 = true;
        }
    }
    drop(heard);
    let board = Arc::try_unwrap(board).map(Mutex::into_inner);
    match board {
        Ok(board) => Ok(board.unwrap_or_else(PoisonError::into_inner)),
        Err(_) => bail!("samples still come in"),
    }
}

/// What is heard; nothing more once it is dropped.
struct Heard {
    watches: BTreeMap<(Option<String>, u64), Watch>,
    _topics: Vec<Guard>,
}

impl Heard {
    fn start(link: &BusLink, board: &Arc<Mutex<Board>>) -> anyhow::Result<Self> {
        let bus = (link as &dyn Link).need_bus("plot")?;
        let client = IntrospectionClient::new(Arc::clone(&bus));
        let wanted = lock(board).wanted().with_clock();
        let mut watches = BTreeMap::new();
        for (key, items) in wanted.items {
            let manager = key.0.clone().unwrap_or_else(|| link.world());
            let (into, from) = (Arc::clone(board), key.clone());
            let mut watch = client.watch(&manager, move |sampled: &Sampled<'_>| {
                let from = (from.0.as_deref(), from.1);
                lock(&into).take(from, sampled.filter, sampled.sample);
            });
            watch.want(items, key.1 as f64 / 1000.0);
            watches.insert(key, watch);
        }
        let into = Arc::clone(board);
        let jumps = names::time_jumped(&link.world());
        let jumps = typed::subscribe(bus.as_ref(), &jumps, move |jump: TimeJumped| {
            lock(&into).jump(&jump);
        })?;
        let mut topics = vec![jumps];
        for name in wanted.topics {
            let type_name = topic::type_of(bus.as_ref(), &name)?;
            let descriptor = topic::descriptor(Some(bus.as_ref()), &type_name)?;
            lock(board).learn_topic(&name, descriptor);
            let (into, of) = (Arc::clone(board), name.clone());
            let take = move |message: MessageRef<'_>| lock(&into).take_message(&of, message.bytes);
            topics.push(bus.subscribe(&Name::new(&name)?, Arc::new(take))?);
        }
        Ok(Self { watches, _topics: topics })
    }

    fn keep(&mut self) -> anyhow::Result<()> {
        for watch in self.watches.values_mut().filter(|watch| watch.is_behind()) {
            watch.keep()?;
        }
        Ok(())
    }
}

/// A panic while the lock was held leaves plain data behind, which is still good.
fn lock(board: &Mutex<Board>) -> MutexGuard<'_, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}
