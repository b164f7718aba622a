//! Starting and ending bridges.

use std::future::Future;
use std::io;
use std::time::Duration;

use retake_sim::{InboxSender, View, ViewSink};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::clock::ClockPolicy;
use crate::hub::Hub;
use crate::{foxglove, ros1, rosbridge, web};

/// Threads that speak with others; the step thread is none of them.
const THREADS: usize = 2;
/// How long clients have to take their leave.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// Which bridges there are to be; none by default.
#[derive(Clone, Debug, Default)]
pub struct BridgeOptions {
    /// Port of rosbridge on loopback; 0 takes any free one.
    pub rosbridge: Option<u16>,
    /// Port of the Foxglove WebSocket on loopback; 0 takes any free one.
    pub foxglove: Option<u16>,
    /// Address of the master of ROS 1.
    pub ros1: Option<String>,
    /// Domain of ROS 2.
    pub ros2: Option<u16>,
    /// Sites whose pages may connect, besides those of this machine.
    pub origins: Vec<String>,
    /// What becomes of time when the world jumps.
    pub clock: ClockPolicy,
}

impl BridgeOptions {
    /// Says whether any bridge is asked for.
    pub fn any(&self) -> bool {
        let servers = self.rosbridge.is_some() || self.foxglove.is_some();
        servers || self.ros1.is_some() || self.ros2.is_some()
    }
}

/// Why a bridge cannot be built.
#[derive(Debug, Error)]
pub enum BridgeError {
    /// The port is in use.
    #[error("Port {port} is taken. Stop the other program or give {flag} another port")]
    PortBusy {
        /// Port on 127.0.0.1.
        port: u16,
        /// The option that names it.
        flag: &'static str,
    },
    /// The system refused.
    #[error("{flag} cannot be served: {source}")]
    Io {
        /// The option that asks for it.
        flag: &'static str,
        /// Cause.
        source: io::Error,
    },
    /// The address of the master makes no sense.
    #[error("--ros1: {reason}")]
    BadMaster {
        /// What is wrong.
        reason: String,
    },
    /// The domain cannot be joined.
    #[error("--ros2: {reason}")]
    NoDomain {
        /// What is wrong.
        reason: String,
    },
    /// The system gives no thread.
    #[error("There is no thread for bridges: {0}")]
    NoThread(io::Error),
}

/// Bridges that run; dropping them ends them.
pub struct Bridges {
    runtime: Option<Runtime>,
    addresses: Vec<String>,
    /// Tells those who have to take their leave of others.
    ending: watch::Sender<bool>,
    leaving: Vec<JoinHandle<()>>,
}

impl Bridges {
    /// Starts the bridges that are asked for, and returns what the runner feeds them by.
    ///
    /// # Errors
    /// [`BridgeError`] when a port is taken or the system refuses.
    pub fn start(
        options: &BridgeOptions,
        first: View,
        inbox: InboxSender,
    ) -> Result<(Self, Box<dyn ViewSink>), BridgeError> {
        let mut building = Builder::new_multi_thread();
        let building = building.worker_threads(THREADS).thread_name("bridge").enable_all();
        let runtime = building.build().map_err(BridgeError::NoThread)?;
        let (hub, sink) = Hub::start(first, inbox, options.clock).map_err(BridgeError::NoThread)?;
        let mut bridges = Self {
            runtime: Some(runtime),
            addresses: Vec::new(),
            ending: watch::Sender::new(false),
            leaving: Vec::new(),
        };
        if let Some(port) = options.rosbridge {
            let (listener, port) = bridges.listen(port, "--rosbridge", "rosbridge")?;
            let origins = options.origins.clone();
            bridges.spawn(rosbridge::run(listener, port, origins, hub.clone()));
        }
        if let Some(port) = options.foxglove {
            let (listener, port) = bridges.listen(port, "--foxglove", "Foxglove")?;
            let origins = options.origins.clone();
            bridges.spawn(foxglove::run(listener, port, origins, hub.clone()));
        }
        if let Some(master) = &options.ros1 {
            const FLAG: &str = "--ros1";
            ros1::check_master(master).map_err(|reason| BridgeError::BadMaster { reason })?;
            let api = bridges.wait(web::listen(0, FLAG))?;
            let data = bridges.wait(web::listen(0, FLAG))?;
            bridges.addresses.push(format!("ROS 1: node /retake of {master}"));
            let doors = ros1::Doors { api, data };
            let ending = bridges.ending.subscribe();
            let node = bridges.spawn(ros1::run(doors, master.clone(), hub.clone(), ending));
            bridges.leaving.push(node);
        }
        if let Some(domain) = options.ros2 {
            bridges.join(domain, &hub).map_err(|reason| BridgeError::NoDomain { reason })?;
        }
        Ok((bridges, sink))
    }

    /// Returns where each bridge can be reached, a line for each.
    pub fn addresses(&self) -> &[String] {
        &self.addresses
    }

    /// Listens for WebSockets, and notes where.
    fn listen(
        &mut self,
        port: u16,
        flag: &'static str,
        name: &str,
    ) -> Result<(TcpListener, u16), BridgeError> {
        let listener = self.wait(web::listen(port, flag))?;
        let address = listener.local_addr();
        let address = address.map_err(|source| BridgeError::Io { flag, source })?;
        self.addresses.push(format!("{name}: ws://{address}"));
        Ok((listener, address.port()))
    }

    /// Joins a domain of ROS 2.
    #[cfg(feature = "ros2")]
    fn join(&mut self, number: u16, hub: &Hub) -> Result<(), String> {
        let most = crate::ros2::HIGHEST_DOMAIN;
        if number > most {
            return Err(format!("there is no domain {number}; write one of 0 to {most}"));
        }
        let domain = crate::ros2::Domain::join(number)?;
        self.addresses
            .push(format!("ROS 2: node /retake of domain {number}, on this machine only"));
        self.spawn(crate::ros2::run(domain, hub.clone()));
        Ok(())
    }

    #[cfg(not(feature = "ros2"))]
    fn join(&mut self, _: u16, _: &Hub) -> Result<(), String> {
        Err("this retake was built without ROS 2; build it with the feature ros2".to_owned())
    }

    fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.as_ref().expect("it is taken only when all ends").block_on(future)
    }

    fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        self.runtime.as_ref().expect("it is taken only when all ends").spawn(future)
    }
}

impl Drop for Bridges {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            self.ending.send_replace(true);
            let leaving = self.leaving.drain(..);
            runtime.block_on(async {
                for one in leaving {
                    // Whoever takes longer is not waited for.
                    tokio::time::timeout(SHUTDOWN, one).await.ok();
                }
            });
            runtime.shutdown_timeout(SHUTDOWN);
        }
    }
}
