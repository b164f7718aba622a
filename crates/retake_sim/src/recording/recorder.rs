//! Starts and ends recordings, and runs the thread that writes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use retake_log::{LogError, LogFacts, LogWriter};
use retake_math::SimTime;
use retake_msgs::{LogStart, LogStatus};
use retake_transport::Bus;

use super::file_name;
use super::tap::{Found, Poured, Source, Tap, WhenFull};
use super::topics;
use super::writing::Writing;

/// What is written is safe on the disk after this time at the latest.
const SYNC_PERIOD: Duration = Duration::from_millis(700);
/// How often the status is told.
const TELL_PERIOD: Duration = Duration::from_millis(250);
/// How long the end of a recording is waited for.
const END: Duration = Duration::from_secs(30);
/// Most states per second that can be asked for.
const MAX_RATE_HZ: f64 = 1e6;

/// Starts and ends recordings of one world; shared by whoever may ask for it.
pub struct Recorder {
    folder: PathBuf,
    facts: LogFacts,
    bus: Option<Arc<dyn Bus>>,
    when_full: WhenFull,
    inner: Mutex<Inner>,
    /// A recording ended.
    ended: Condvar,
    /// Whether the step thread has something to take.
    asked: AtomicBool,
    /// Whether somebody waits for the disk.
    busy: AtomicBool,
}

struct Inner {
    status: Arc<LogStatus>,
    /// For the step thread: a recording to begin, or the end of the present one.
    asked: Option<Asked>,
}

/// What the step thread is asked to do.
pub(crate) enum Asked {
    /// To note what happens, at this rate.
    Begin(Tap, f64),
    /// To let go.
    End,
}

impl Recorder {
    /// Makes a recorder of the world that `facts` tell of, which puts files into `folder`.
    pub fn new(facts: LogFacts, folder: &Path, when_full: WhenFull) -> Self {
        Self {
            folder: folder.to_owned(),
            facts,
            bus: None,
            when_full,
            inner: Mutex::new(Inner { status: Arc::default(), asked: None }),
            ended: Condvar::new(),
            asked: AtomicBool::new(false),
            busy: AtomicBool::new(false),
        }
    }

    /// Lets it record topics of others too.
    pub fn on_bus(self, bus: Arc<dyn Bus>) -> Self {
        Self { bus: Some(bus), ..self }
    }

    /// Starts a recording into a file of the folder. Waits for the disk, not for the world.
    pub fn start(self: &Arc<Self>, request: &LogStart) -> LogStatus {
        let name = match file_name::checked(&request.file, &self.facts.world, unix_nanos()) {
            Ok(name) => name,
            Err(reason) => return self.refuse(reason),
        };
        let path = self.folder.join(name);
        // A name that nobody chose gives way to what is there.
        match request.file.is_empty() {
            true => self.start_at(&file_name::free(&path), request),
            false => self.start_at(&path, request),
        }
    }

    /// Starts a recording into this file, whatever folder it is in.
    pub fn start_at(self: &Arc<Self>, path: &Path, request: &LogStart) -> LogStatus {
        let rate = request.rate_hz;
        if !(0.0..=MAX_RATE_HZ).contains(&rate) {
            return self.refuse(format!("rate_hz is {rate}; use 0 for each step, or up to 1e6"));
        }
        let before = match self.claim(path) {
            Ok(before) => before,
            Err(status) => return status,
        };
        match self.begin(path, request) {
            Ok(tap) => {
                let mut inner = self.lock();
                // Whoever wanted its end meanwhile has it: the tap is dropped.
                if inner.asked.is_none() {
                    inner.asked = Some(Asked::Begin(tap, request.rate_hz));
                }
            }
            Err(reason) => {
                self.lock().status = Arc::clone(&before);
                return refused(&before, reason);
            }
        }
        self.asked.store(true, Ordering::Release);
        let message = format!("Recording to {}", path.display());
        LogStatus { ok: true, message, ..LogStatus::clone(&self.status()) }
    }

    /// Takes the recorder, so that of two who ask at once one is refused, and returns the status
    /// before. The lock is not held while the disk is asked: the step thread needs it too.
    fn claim(&self, path: &Path) -> Result<Arc<LogStatus>, LogStatus> {
        let mut inner = self.lock();
        if inner.status.recording {
            let text = format!("{} is being recorded already. Stop it first", inner.status.file);
            return Err(refused(&inner.status, text));
        }
        let file = path.display().to_string();
        let status = LogStatus { ok: true, recording: true, file, ..LogStatus::default() };
        inner.asked = None;
        Ok(std::mem::replace(&mut inner.status, Arc::new(status)))
    }

    fn begin(self: &Arc<Self>, path: &Path, request: &LogStart) -> Result<Tap, String> {
        let facts = LogFacts { started_unix_nanos: unix_nanos(), ..self.facts.clone() };
        let log = LogWriter::create(path, &facts).map_err(|error| error.to_string())?;
        let (tap, source) = Tap::new(self.when_full);
        let writing = Writing::new(log, &self.facts.world, self.bus.clone());
        let me = Arc::clone(self);
        let run = move || me.run(writing, &source);
        let thread = thread::Builder::new().name("record".to_owned()).spawn(run);
        thread.map_err(|error| format!("There is no thread for recording: {error}"))?;
        if let Some(bus) = self.bus.as_ref().filter(|_| !request.topic.is_empty()) {
            topics::follow(bus, request.topic.clone(), &self.facts.world, tap.side_door());
        }
        Ok(tap)
    }

    /// Ends the recording and waits until its file is complete.
    pub fn stop(&self) -> LogStatus {
        let mut inner = self.lock();
        if !inner.status.recording {
            return refused(&inner.status, "Nothing is being recorded".to_owned());
        }
        // One that the step thread has not even taken ends by being dropped.
        inner.asked = Some(Asked::End);
        self.asked.store(true, Ordering::Release);
        self.wait_for_end(inner)
    }

    /// Waits until the file of a recording is complete that the step thread has let go of.
    pub fn finish(&self) -> LogStatus {
        let mut inner = self.lock();
        inner.asked = None;
        self.wait_for_end(inner)
    }

    fn wait_for_end(&self, inner: MutexGuard<'_, Inner>) -> LogStatus {
        let waited = self.ended.wait_timeout_while(inner, END, |inner| inner.status.recording);
        let (inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let status = LogStatus::clone(&inner.status);
        if status.recording {
            let message = "The disk is slow; the recording is still being written".to_owned();
            return LogStatus { ok: true, message, ..status };
        }
        LogStatus { ok: status.ended.is_empty(), message: ended_message(&status), ..status }
    }

    /// Asks on a thread of its own, because the disk may take its time, and tells `answer`; one at
    /// once. `answer` is dropped unused when there is no thread.
    pub fn ask(
        self: &Arc<Self>,
        ask: impl FnOnce(&Arc<Self>) -> LogStatus + Send + 'static,
        answer: impl FnOnce(LogStatus) + Send + 'static,
    ) {
        if self.busy.swap(true, Ordering::AcqRel) {
            let text = "Somebody else asks for a recording just now. Try again";
            return answer(self.refuse(text.to_owned()));
        }
        let me = Arc::clone(self);
        let run = move || {
            let asked = catch_unwind(AssertUnwindSafe(|| ask(&me)));
            me.busy.store(false, Ordering::Release);
            answer(asked.unwrap_or_else(|_| me.refuse("The recorder failed".to_owned())));
        };
        if let Err(error) = thread::Builder::new().name("ask recorder".to_owned()).spawn(run) {
            self.busy.store(false, Ordering::Release);
            tracing::warn!(%error, "no thread for a recording");
        }
    }

    /// Returns how the recording goes; the same `Arc` until that changes.
    pub fn status(&self) -> Arc<LogStatus> {
        Arc::clone(&self.lock().status)
    }

    /// Takes what the step thread is to do, if anything.
    pub(crate) fn asked(&self) -> Option<Asked> {
        // Looked at in each round of the step thread, so the lock is only taken when needed.
        match self.asked.swap(false, Ordering::AcqRel) {
            true => self.lock().asked.take(),
            false => None,
        }
    }

    /// Writes until the step thread lets go or the disk refuses.
    fn run(&self, mut writing: Writing, source: &Source) {
        // Nothing that a panic leaves half done is written any more: what was synced is whole.
        let work = AssertUnwindSafe(|| {
            let written = self.write_all(&mut writing, source);
            let bytes = writing.log().bytes();
            // What is in the file stays readable, whether or not its end can be written.
            let closed = writing.into_log().finish();
            let ended = written.and(closed.as_ref().map(drop).map_err(ToString::to_string));
            (closed.unwrap_or(bytes), ended.err().unwrap_or_default())
        });
        let failed = |_| (0, "the thread that writes it failed".to_owned());
        let (bytes, ended) = catch_unwind(work).unwrap_or_else(failed);
        let recorded = source.shared.recorded();
        let dropped = source.shared.dropped.load(Ordering::Relaxed);
        self.tell(|status| LogStatus {
            recording: false,
            bytes,
            recorded: Some(recorded.into()),
            dropped,
            ended,
            ..status
        });
        self.ended.notify_all();
    }

    fn write_all(&self, writing: &mut Writing, source: &Source) -> Result<(), String> {
        self.write_until_the_end(writing, source).map_err(|error| error.to_string())
    }

    fn write_until_the_end(&self, writing: &mut Writing, source: &Source) -> Result<(), LogError> {
        let (mut synced, mut told) = (Instant::now(), Instant::now());
        loop {
            let until_sync = SYNC_PERIOD.saturating_sub(synced.elapsed());
            match source.next(TELL_PERIOD.min(until_sync)) {
                Found::Poured(poured) => write(writing, poured)?,
                Found::Nothing => {}
                Found::End => break,
            }
            if synced.elapsed() >= SYNC_PERIOD {
                writing.log().sync()?;
                synced = Instant::now();
            }
            if told.elapsed() >= TELL_PERIOD {
                told = Instant::now();
                writing.write_dropped(source.shared.take_dropped_aside())?;
                self.tell_progress(writing, source);
            }
        }
        source.shared.rest().into_iter().try_for_each(|poured| write(writing, poured))
    }

    fn tell_progress(&self, writing: &mut Writing, source: &Source) {
        let (bytes, recorded) = (writing.log().bytes(), source.shared.recorded());
        let dropped = source.shared.dropped.load(Ordering::Relaxed);
        self.tell(|status| LogStatus { bytes, recorded: Some(recorded.into()), dropped, ..status });
    }

    fn tell(&self, change: impl FnOnce(LogStatus) -> LogStatus) {
        let mut inner = self.lock();
        inner.status = Arc::new(change(LogStatus::clone(&inner.status)));
    }

    fn refuse(&self, reason: String) -> LogStatus {
        refused(&self.status(), reason)
    }

    /// A panic while the lock was held leaves plain data behind, which is still good.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write(writing: &mut Writing, poured: Poured) -> Result<(), LogError> {
    match poured {
        Poured::Happened(happened) => writing.write(happened),
        Poured::Gap(stamp, gap) => writing.write_gap(stamp, &gap),
    }
}

fn refused(status: &LogStatus, message: String) -> LogStatus {
    LogStatus { ok: false, message, ..status.clone() }
}

/// Says how a recording ended.
pub(crate) fn ended_message(status: &LogStatus) -> String {
    let secs = status.recorded.as_ref().map_or(0.0, |time| SimTime::from(time).as_secs_f64());
    let mib = status.bytes as f64 / (1024.0 * 1024.0);
    let mut text = match status.ended.is_empty() {
        true => format!("Recorded {secs:.3} s to {} ({mib:.1} MiB)", status.file),
        false => format!("The recording {} ended at {secs:.3} s: {}", status.file, status.ended),
    };
    if status.dropped > 0 {
        text += &format!("; {} records were left out, the disk could not follow", status.dropped);
    }
    text
}

fn unix_nanos() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or_default()
}
