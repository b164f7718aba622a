//! The services of a server: names, types and how requests are read.

use prost::Message;
use retake_msgs::numbers::{WildNumber, find_wild_number};
use retake_msgs::{
    CancelMotion, DeleteEntities, EntityFactory, EntityRef, Findings, FindingsRequest, GetFilter,
    GuiJoin, GuiJoined, HashReply, HashRequest, InsertEntity, IntrospectionFilter,
    IntrospectionItems, ItemsRequest, LockstepDone, LockstepJoin, LockstepReply, ModelLibrary,
    ModelLibraryRequest, MotionCancel, MotionCheckRequest, MotionChecked, MotionFile, MotionGoal,
    MotionList, MotionListRequest, MotionReadRequest, MotionSaveRequest, MotionSaved, MoveEntity,
    Name, Past, PastRequest, PendingActions, PendingActionsRequest, PhysicsParam,
    PhysicsProfilesRequest, PhysicsState, RemoveFilter, ServerInfo, ServerInfoRequest, SetFilter,
    SetPhysics, SetPose, SetProfileParam, StampedState, StartMotion, StateRequest,
    StatisticsRequest, TakeOverRequest, Timeline, TimelineEdit, TimelineRequest, UndoRedo,
    UndoSettings, UserCmd, UserCmdReply, UserCmdStats, UserCmdStatsRequest, WorldContacts,
    WorldContactsRequest, WorldControl, WorldSource, WorldSourceRequest, WorldStatistics,
    motion_goal, names, user_cmd,
};

use crate::Request;

/// A service of a server.
pub struct ServiceEntry {
    /// Name, with leading slash.
    pub name: String,
    /// Full name of the request's type.
    pub request_type: String,
    /// Full name of the reply's type.
    pub reply_type: String,
    /// Reads a request.
    pub decode: fn(&[u8]) -> Result<Request, String>,
}

impl ServiceEntry {
    /// Returns the first number of a request that nobody can mean.
    ///
    /// Those of user commands are looked at where they are applied, wherever they come from.
    pub fn wild_number(&self, bytes: &[u8]) -> Option<WildNumber> {
        if self.request_type == UserCmd::full_name() {
            return None;
        }
        find_wild_number(&self.request_type, bytes)
    }
}

/// Returns the services of the world called `world`.
pub fn service_table(world: &str) -> Vec<ServiceEntry> {
    let mut table = motion_services(world);
    table.extend(timeline_services(world).into_iter().chain(reading_services(world)));
    table.extend(lockstep_services(world));
    table.extend([
        entry::<ServerInfoRequest, ServerInfo>(names::SERVER_INFO.to_owned(), |bytes| {
            read(bytes).map(Request::Info)
        }),
        entry::<WorldControl, UserCmdReply>(names::control(world), |bytes| {
            read(bytes).map(Request::Control)
        }),
        entry::<UserCmd, UserCmdReply>(names::user_command(world), |bytes| {
            read(bytes).map(|command| Request::Command(Box::new(command)))
        }),
        entry::<UndoRedo, UserCmdReply>(names::undo_redo(world), |bytes| {
            read(bytes).map(Request::UndoRedo)
        }),
        entry::<UndoSettings, UserCmdReply>(names::undo_settings(world), |bytes| {
            read(bytes).map(Request::UndoSettings)
        }),
        entry::<UserCmdStatsRequest, UserCmdStats>(names::history_get(world), |bytes| {
            read::<UserCmdStatsRequest>(bytes).map(|_| Request::History)
        }),
        entry::<GuiJoin, GuiJoined>(names::gui_join(world), |bytes| {
            read(bytes).map(Request::JoinGui)
        }),
        entry::<TakeOverRequest, UserCmdReply>(names::gui_take_over(world), |bytes| {
            read(bytes).map(Request::TakeOver)
        }),
        entry::<PendingActionsRequest, PendingActions>(names::pending_get(world), |bytes| {
            read::<PendingActionsRequest>(bytes).map(|_| Request::Pending)
        }),
        entry::<EntityFactory, UserCmdReply>(names::create(world), |bytes| read(bytes).map(create)),
        entry::<EntityRef, UserCmdReply>(names::remove(world), |bytes| read(bytes).map(remove)),
        entry::<SetPose, UserCmdReply>(names::set_pose(world), |bytes| read(bytes).map(set_pose)),
        entry::<SetPhysics, UserCmdReply>(names::set_physics(world), |bytes| {
            read(bytes).map(set_physics)
        }),
        entry::<PhysicsProfilesRequest, PhysicsState>(names::physics(world), |bytes| {
            read(bytes).map(Request::Physics)
        }),
        entry::<ItemsRequest, IntrospectionItems>(names::introspection_items(world), |bytes| {
            read(bytes).map(Request::Items)
        }),
        entry::<SetFilter, IntrospectionFilter>(names::introspection_set_filter(world), |bytes| {
            read(bytes).map(Request::SetFilter)
        }),
        entry::<GetFilter, IntrospectionFilter>(names::introspection_get_filter(world), |bytes| {
            read(bytes).map(Request::GetFilter)
        }),
        entry::<RemoveFilter, IntrospectionFilter>(
            names::introspection_remove_filter(world),
            |bytes| read(bytes).map(Request::RemoveFilter),
        ),
    ]);
    table
}

/// Services that say how the world is and change nothing.
fn reading_services(world: &str) -> Vec<ServiceEntry> {
    vec![
        entry::<StateRequest, StampedState>(names::state(world), |bytes| {
            read(bytes).map(Request::State)
        }),
        entry::<StateRequest, StampedState>(names::scene(world), |bytes| {
            read::<StateRequest>(bytes).map(|_| Request::Scene)
        }),
        entry::<StatisticsRequest, WorldStatistics>(names::stats_get(world), |bytes| {
            read::<StatisticsRequest>(bytes).map(|_| Request::Stats)
        }),
        entry::<WorldContactsRequest, WorldContacts>(names::contacts(world), |bytes| {
            read::<WorldContactsRequest>(bytes).map(|_| Request::Contacts)
        }),
        entry::<WorldSourceRequest, WorldSource>(names::source(world), |bytes| {
            read(bytes).map(Request::Source)
        }),
        entry::<FindingsRequest, Findings>(names::findings(world), |bytes| {
            read::<FindingsRequest>(bytes).map(|_| Request::Findings)
        }),
        entry::<ModelLibraryRequest, ModelLibrary>(names::model_list(world), |bytes| {
            read::<ModelLibraryRequest>(bytes).map(|_| Request::Library)
        }),
        entry::<HashRequest, HashReply>(names::hash(world), |bytes| read(bytes).map(Request::Hash)),
    ]
}

fn timeline_services(world: &str) -> [ServiceEntry; 3] {
    [
        entry::<TimelineRequest, Timeline>(names::timeline_get(world), |bytes| {
            read::<TimelineRequest>(bytes).map(|_| Request::Timeline)
        }),
        entry::<TimelineEdit, UserCmdReply>(names::timeline_edit(world), |bytes| {
            read(bytes).map(|edit| Request::EditTimeline(Box::new(edit)))
        }),
        entry::<PastRequest, Past>(names::timeline_past(world), |bytes| {
            read(bytes).map(Request::Past)
        }),
    ]
}

fn lockstep_services(world: &str) -> [ServiceEntry; 2] {
    [
        entry::<LockstepJoin, LockstepReply>(names::lockstep_join(world), |bytes| {
            read(bytes).map(Request::LockstepJoin)
        }),
        entry::<LockstepDone, LockstepReply>(names::lockstep_done(world), |bytes| {
            read(bytes).map(Request::LockstepDone)
        }),
    ]
}

fn motion_services(world: &str) -> Vec<ServiceEntry> {
    vec![
        entry::<MotionGoal, UserCmdReply>(names::motion_goal(world), |bytes| {
            read(bytes).and_then(motion_goal)
        }),
        entry::<MotionCancel, UserCmdReply>(names::motion_cancel(world), |bytes| {
            read(bytes).map(motion_cancel)
        }),
        entry::<MotionListRequest, MotionList>(names::motion_list(world), |bytes| {
            read(bytes).map(Request::Motions)
        }),
        entry::<MotionReadRequest, MotionFile>(names::motion_read(world), |bytes| {
            read(bytes).map(Request::ReadMotion)
        }),
        entry::<MotionSaveRequest, MotionSaved>(names::motion_save(world), |bytes| {
            read(bytes).map(Request::SaveMotion)
        }),
        entry::<MotionCheckRequest, MotionChecked>(names::motion_check(world), |bytes| {
            read(bytes).map(|request| Request::CheckMotion(Box::new(request)))
        }),
    ]
}

fn entry<Q: Name, R: Name>(
    name: String,
    decode: fn(&[u8]) -> Result<Request, String>,
) -> ServiceEntry {
    ServiceEntry { name, request_type: Q::full_name(), reply_type: R::full_name(), decode }
}

fn read<M: Message + Default>(bytes: &[u8]) -> Result<M, String> {
    M::decode(bytes).map_err(|error| error.to_string())
}

fn command(command: user_cmd::Command) -> Request {
    Request::Command(Box::new(UserCmd { command: Some(command), ..UserCmd::default() }))
}

fn create(factory: EntityFactory) -> Request {
    command(user_cmd::Command::InsertEntity(InsertEntity {
        sdf: factory.sdf,
        name: factory.name,
        pose: factory.pose,
        allow_renaming: factory.allow_renaming,
        parent: None,
    }))
}

fn remove(entity: EntityRef) -> Request {
    command(user_cmd::Command::DeleteEntities(DeleteEntities { entity: vec![entity] }))
}

fn set_pose(request: SetPose) -> Request {
    let pose = request.pose.unwrap_or_default();
    command(user_cmd::Command::MoveEntity(MoveEntity {
        entity: request.entity,
        position: pose.position,
        orientation: pose.orientation,
        keep_velocity: false,
    }))
}

/// Makes the command of a program's goal.
fn motion_goal(goal: MotionGoal) -> Result<Request, String> {
    let (motion, trajectory) = match goal.what {
        Some(motion_goal::What::Trajectory(trajectory)) => (String::new(), Some(trajectory)),
        Some(motion_goal::What::Text(text)) if text.r#type == names::PLAYS_MOTION => {
            (text.command, None)
        }
        Some(motion_goal::What::Text(text)) => {
            let given = text.r#type;
            return Err(format!("text.type is {given:?}; write {:?}", names::PLAYS_MOTION));
        }
        None => return Err("the goal has neither a trajectory nor a text".to_owned()),
    };
    let start = StartMotion {
        robot: goal.robot,
        goal_id: goal.goal_id,
        motion,
        goal: trajectory,
        speed: goal.speed,
        keep_alive_secs: goal.keep_alive_secs,
        nested: Vec::new(),
    };
    let robot = start.robot.clone();
    Ok(by_program(&robot, user_cmd::Command::StartMotion(Box::new(start))))
}

fn motion_cancel(cancel: MotionCancel) -> Request {
    let robot = cancel.robot.clone();
    let cancel = CancelMotion { robot: cancel.robot, goal_id: cancel.goal_id, release: false };
    by_program(&robot, user_cmd::Command::CancelMotion(cancel))
}

/// Makes a command that is no person's; those for one robot keep their order.
fn by_program(robot: &str, command: user_cmd::Command) -> Request {
    let command = UserCmd {
        author: format!("program {}", robot.chars().take(24).collect::<String>()),
        by_program: true,
        command: Some(command),
        ..UserCmd::default()
    };
    Request::Command(Box::new(command))
}

fn set_physics(request: SetPhysics) -> Request {
    let param = |key: &str, value: Option<f64>| {
        value.map(|value| PhysicsParam { key: key.to_owned(), value: value.to_string() })
    };
    let step = param("max_step_size", request.max_step_size);
    let pace = param("real_time_factor", request.real_time_factor);
    let param = step.into_iter().chain(pace).collect();
    command(user_cmd::Command::SetProfileParam(SetProfileParam { profile: String::new(), param }))
}
