//! The way from a command to a server: over the bus, or straight to one in this process.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use prost::Name;
use retake_msgs::{ServerInfo, ServerInfoRequest, UserCmd, UserCmdReply, names, user_cmd};
use retake_transport::{Bus, Message, Name as BusName, ZenohBus};

/// How long a server may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A server that can be asked things.
pub(crate) trait Link {
    /// Returns the name of the world.
    fn world(&self) -> String;

    /// Returns who acts.
    fn author(&self) -> String;

    /// Calls a service with encoded messages.
    fn call_raw(&mut self, service: &str, request: Message) -> anyhow::Result<Vec<u8>>;

    /// Publishes an encoded message.
    fn publish_raw(&mut self, topic: &str, message: Message) -> anyhow::Result<()>;

    /// Returns the bus, when there is one.
    fn bus(&self) -> Option<Arc<dyn Bus>>;
}

impl dyn Link + '_ {
    /// Calls a service.
    pub(crate) fn call<Q, R>(&mut self, service: &str, request: &Q) -> anyhow::Result<R>
    where
        Q: prost::Message + Name,
        R: prost::Message + Default,
    {
        let bytes = self.call_raw(service, Message::encode(request))?;
        R::decode(bytes.as_slice()).with_context(|| format!("the reply of {service}"))
    }

    /// Sends a user command; a refusal is an error.
    pub(crate) fn command(&mut self, command: user_cmd::Command) -> anyhow::Result<UserCmdReply> {
        self.command_as("", command)
    }

    /// Sends a user command with the words that stand for it in the history.
    pub(crate) fn command_as(
        &mut self,
        description: &str,
        command: user_cmd::Command,
    ) -> anyhow::Result<UserCmdReply> {
        let request = UserCmd {
            description: description.to_owned(),
            id: uuid::Uuid::now_v7().to_string(),
            author: self.author(),
            command: Some(command),
            ..UserCmd::default()
        };
        let reply: UserCmdReply = self.call(&names::user_command(&self.world()), &request)?;
        accepted(reply)
    }

    /// Returns the bus, or says why the command needs one.
    pub(crate) fn need_bus(&self, what: &str) -> anyhow::Result<Arc<dyn Bus>> {
        self.bus()
            .with_context(|| format!("{what} needs a running server; it is not for scenarios"))
    }
}

/// Turns a refusal into an error.
pub(crate) fn accepted(reply: UserCmdReply) -> anyhow::Result<UserCmdReply> {
    if !reply.ok {
        bail!("{}", reply.message);
    }
    Ok(reply)
}

/// A server in another process.
pub(crate) struct BusLink {
    bus: Arc<dyn Bus>,
    world: String,
}

impl BusLink {
    /// Connects to the server that `wanted` names, or to the only one there is.
    pub(crate) fn connect(wanted: Option<&str>) -> anyhow::Result<Self> {
        Self::on(Arc::new(ZenohBus::connect_to(wanted)?))
    }

    /// Links to the server of a bus.
    pub(crate) fn on(bus: Arc<dyn Bus>) -> anyhow::Result<Self> {
        let info: ServerInfo = retake_transport::typed::call(
            bus.as_ref(),
            names::SERVER_INFO,
            &ServerInfoRequest {},
            TIMEOUT,
        )?;
        if info.protocol_version != retake_msgs::PROTOCOL_VERSION {
            bail!(
                "The server speaks protocol {}, this program {}. Use the same version of both",
                info.protocol_version,
                retake_msgs::PROTOCOL_VERSION
            );
        }
        Ok(Self { bus, world: info.world })
    }
}

impl Link for BusLink {
    fn world(&self) -> String {
        self.world.clone()
    }

    fn author(&self) -> String {
        format!("cli-{}", std::process::id())
    }

    fn call_raw(&mut self, service: &str, request: Message) -> anyhow::Result<Vec<u8>> {
        Ok(self.bus.call(&BusName::new(service)?, &request, TIMEOUT)?.bytes)
    }

    fn publish_raw(&mut self, topic: &str, message: Message) -> anyhow::Result<()> {
        crate::live::topic::publish_once(self.bus.as_ref(), topic, message)
    }

    fn bus(&self) -> Option<Arc<dyn Bus>> {
        Some(Arc::clone(&self.bus))
    }
}
