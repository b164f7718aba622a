//! Real robots beside a world.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use anyhow::{Context, bail};
use retake_components::{Kind, resolve};
use retake_msgs::MotionListRequest;
use retake_robots::{Bound, BusRobot, Motions, RobotAddress, RobotGateway, RobotLink, Teller};
use retake_sim::{InboxSender, Request, Response, Server};
use retake_transport::Bus;

use crate::cli::RobotArgs;

/// Most real robots of one server.
const MOST: usize = 16;
/// How long the server may take to say what its robots can play.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Starts the gateway to the real robots that were asked for.
pub(super) fn gateway(
    server: &Server,
    args: &RobotArgs,
    bus: &Arc<dyn Bus>,
    inbox: &InboxSender,
) -> anyhow::Result<RobotGateway> {
    let addresses = &args.robot;
    if addresses.len() > MOST {
        bail!("--robot is given {} times; at most {MOST} robots are served", addresses.len());
    }
    let mut named = BTreeSet::new();
    for address in addresses {
        let robot = &address.robot;
        let ecm = server.simulation().ecm();
        let model = resolve(ecm, robot).context("--robot")?;
        if ecm.get::<Kind>(model) != Some(&Kind::Model) {
            bail!("--robot: {robot:?} is no model. Name the model that is the robot's twin");
        }
        if !named.insert(robot) {
            bail!("--robot: {robot:?} is given twice. A model has one real robot");
        }
    }
    let lost_after = Duration::from_secs_f64(args.robot_patience);
    let robots = addresses.iter().map(|address| bound(address.clone(), lost_after)).collect();
    Ok(RobotGateway::start(bus, server.world_name(), robots, motions(inbox.clone()))?)
}

fn bound(address: RobotAddress, lost_after: Duration) -> Bound {
    let robot = address.robot.clone();
    let link = move |teller: Teller| -> Box<dyn RobotLink> {
        Box::new(BusRobot::new(address, lost_after, teller))
    };
    Bound { robot, lost_after, link: Box::new(link) }
}

/// Looks motions up where the virtual twin finds its own.
fn motions(inbox: InboxSender) -> Motions {
    Box::new(move |robot, motion| {
        let (send, answered) = sync_channel(1);
        let request = Request::Motions(MotionListRequest { robot: robot.to_owned() });
        // Nobody is left to read it when it comes too late.
        inbox.send(request, Box::new(move |response| drop(send.try_send(response))));
        match answered.recv_timeout(TIMEOUT) {
            Ok(Response::Motions(found)) => found.find(robot, motion),
            Ok(Response::Failed(reason)) => Err(reason),
            Ok(_) | Err(_) => Err("The server does not say what its robots can play".to_owned()),
        }
    })
}
