//! A disk that fills up, fails and loses power.
//!
//! What was not synced may be there or not after a cut; names are synced apart from what they lead
//! to. Only the last name of all that were changed since then may be lost, as of a folder that is
//! written in order.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use fastrand::Rng;
use retake_assets::Folder;
use retake_log::{Disk, Reserved};

/// Bytes of the disk.
pub const CAPACITY: u64 = 24 << 20;

/// The disk; all clones are of one.
#[derive(Clone)]
pub struct Store(Arc<Mutex<Platter>>);

struct Platter {
    rng: Rng,
    files: Vec<Stored>,
    /// Which file a name leads to, by its number.
    names: BTreeMap<PathBuf, usize>,
    /// As it would be after a cut.
    synced_names: BTreeMap<PathBuf, usize>,
    /// Bytes that others take.
    others: u64,
    /// Whether it promises room.
    promises: bool,
    fails: bool,
    /// Requests until the power goes; nothing works after it.
    left: Option<u32>,
}

#[derive(Default)]
struct Stored {
    bytes: Vec<u8>,
    synced: usize,
    /// Bytes that are promised to it.
    reserved: u64,
    removed: bool,
}

impl Store {
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed ^ 0xd15c);
        // Most file systems promise room, some do not.
        let promises = rng.u8(..4) > 0;
        let (files, names, synced_names) = Default::default();
        let (others, fails, left) = (0, false, None);
        let platter = Platter { rng, files, names, synced_names, others, promises, fails, left };
        Self(Arc::new(Mutex::new(platter)))
    }

    fn platter(&self) -> MutexGuard<'_, Platter> {
        self.0.lock().unwrap()
    }

    /// Others leave so many bytes free.
    pub fn leave_free(&self, bytes: u64) {
        let mut platter = self.platter();
        platter.others = 0;
        platter.others = platter.free().saturating_sub(bytes);
    }

    pub fn free(&self) -> u64 {
        self.platter().free()
    }

    /// Lets the disk refuse everything from now on, or work again.
    pub fn fail(&self, fails: bool) {
        self.platter().fails = fails;
    }

    pub fn fails(&self) -> bool {
        self.platter().fails
    }

    /// Lets the power go after so many requests.
    pub fn go_out_after(&self, requests: u32) {
        self.platter().left = Some(requests);
    }

    /// Says whether the power is gone.
    pub fn is_out(&self) -> bool {
        self.platter().left == Some(0)
    }

    /// Makes a file, to write a log into.
    pub fn file(&self, path: &Path) -> io::Result<File> {
        let number = self.platter().create(path)?;
        Ok(File { store: self.clone(), number, path: path.to_owned() })
    }

    pub fn read(&self, path: &Path) -> Option<Vec<u8>> {
        let platter = self.platter();
        platter.names.get(path).map(|number| platter.files[*number].bytes.clone())
    }

    pub fn remove_file(&self, path: &Path) {
        self.platter().unlink(path);
    }

    /// Lists the files.
    pub fn names(&self) -> Vec<PathBuf> {
        self.platter().names.keys().cloned().collect()
    }

    /// The power goes and comes back: of what was not synced any part is there, or other bytes are.
    pub fn crash(&self) {
        let platter = &mut *self.platter();
        if platter.rng.bool() {
            platter.names = platter.synced_names.clone();
        }
        platter.synced_names = platter.names.clone();
        for file in &mut platter.files {
            let kept = platter.rng.usize(file.synced..=file.bytes.len());
            file.bytes.truncate(kept);
            if kept > file.synced && platter.rng.bool() {
                file.bytes.extend((0..platter.rng.usize(..200)).map(|_| platter.rng.u8(..)));
            }
            (file.synced, file.reserved) = (file.bytes.len(), 0);
        }
        (platter.left, platter.fails) = (None, false);
    }
}

impl Platter {
    fn free(&self) -> u64 {
        let taken = self.files.iter().filter(|file| !file.removed);
        let taken: u64 = taken.map(|file| (file.bytes.len() as u64).max(file.reserved)).sum();
        CAPACITY.saturating_sub(taken + self.others)
    }

    /// Refuses when it fails, or the power is gone.
    fn asked(&mut self) -> io::Result<()> {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(1);
        }
        match self.fails || self.left == Some(0) {
            true => Err(io::Error::other("input/output error")),
            false => Ok(()),
        }
    }

    fn create(&mut self, path: &Path) -> io::Result<usize> {
        self.asked()?;
        if self.names.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.files.push(Stored::default());
        self.names.insert(path.to_owned(), self.files.len() - 1);
        Ok(self.files.len() - 1)
    }

    fn append(&mut self, number: usize, bytes: &[u8]) -> io::Result<()> {
        let asked = self.asked();
        let file = &self.files[number];
        let promised = file.reserved.saturating_sub(file.bytes.len() as u64);
        let room = usize::try_from(promised + self.free()).unwrap();
        let fitting = match &asked {
            Ok(()) => bytes.len().min(room),
            // What was on its way may have come there in part.
            Err(_) => self.rng.usize(..=bytes.len().min(room)),
        };
        self.files[number].bytes.extend(&bytes[..fitting]);
        asked?;
        match fitting == bytes.len() {
            true => Ok(()),
            false => Err(io::ErrorKind::StorageFull.into()),
        }
    }

    fn sync(&mut self, number: usize) -> io::Result<()> {
        self.asked()?;
        let file = &mut self.files[number];
        file.synced = file.bytes.len();
        Ok(())
    }

    fn unlink(&mut self, path: &Path) {
        if let Some(number) = self.names.remove(path) {
            self.files[number].removed = true;
        }
    }
}

impl Folder for Store {
    fn write_new(&mut self, file: &Path, bytes: &[u8]) -> io::Result<()> {
        let platter = &mut *self.platter();
        let number = platter.create(file)?;
        platter.append(number, bytes)?;
        platter.sync(number)
    }

    fn put_in_place(&mut self, new: &Path, file: &Path) -> io::Result<()> {
        let platter = &mut *self.platter();
        platter.asked()?;
        let number = platter.names.remove(new).ok_or(io::ErrorKind::NotFound)?;
        // What the name led to is there until the name is synced, as it may be needed again.
        platter.names.insert(file.to_owned(), number);
        Ok(())
    }

    fn remove(&mut self, file: &Path) -> io::Result<()> {
        let platter = &mut *self.platter();
        platter.asked()?;
        platter.unlink(file);
        Ok(())
    }

    fn sync_names(&mut self, _: &Path) -> io::Result<()> {
        let platter = &mut *self.platter();
        platter.asked()?;
        platter.synced_names = platter.names.clone();
        Ok(())
    }
}

/// The file of a log.
pub struct File {
    store: Store,
    number: usize,
    path: PathBuf,
}

impl Disk for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.store.platter().append(self.number, bytes)
    }

    fn reserve(&mut self, length: u64, bytes: u64) -> io::Result<Reserved> {
        let platter = &mut *self.store.platter();
        if !platter.promises {
            return Ok(Reserved::Unknown);
        }
        platter.asked()?;
        let before = platter.files[self.number].reserved;
        platter.files[self.number].reserved = 0;
        let more = (length + bytes).saturating_sub(platter.files[self.number].bytes.len() as u64);
        let fits = more <= platter.free();
        platter.files[self.number].reserved = if fits { length + bytes } else { before };
        Ok(if fits { Reserved::Yes } else { Reserved::Full })
    }

    fn cut_to(&mut self, length: u64) -> io::Result<()> {
        let platter = &mut *self.store.platter();
        platter.asked()?;
        let file = &mut platter.files[self.number];
        let length = usize::try_from(length).unwrap();
        file.bytes.truncate(length);
        (file.reserved, file.synced) = (0, file.synced.min(length));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let platter = &mut *self.store.platter();
        platter.sync(self.number)?;
        // The name of this file, and no other.
        if platter.names.get(&self.path) == Some(&self.number) {
            platter.synced_names.insert(self.path.clone(), self.number);
        }
        Ok(())
    }

    fn sync_whole(&mut self) -> io::Result<()> {
        self.sync()
    }
}
