//! The services: names, types, and who answers them.

use serde_json::Value;

use super::graph::ServiceEntry;
use super::worker::Worker;
use super::{ServiceReply, entities, executed, simulation};

type Handler = fn(&mut Worker, &Value, ServiceReply);

/// Every service: name, type, handler.
const SERVICES: [(&str, &str, Handler); 13] = [
    ("/get_simulator_features", "simulation_interfaces/GetSimulatorFeatures", simulation::features),
    ("/get_simulation_state", "simulation_interfaces/GetSimulationState", simulation::state),
    ("/set_simulation_state", "simulation_interfaces/SetSimulationState", simulation::set_state),
    ("/step_simulation", "simulation_interfaces/StepSimulation", simulation::step),
    ("/reset_simulation", "simulation_interfaces/ResetSimulation", simulation::reset),
    ("/get_entities", "simulation_interfaces/GetEntities", entities::list),
    ("/get_entity_state", "simulation_interfaces/GetEntityState", entities::state),
    ("/set_entity_state", "simulation_interfaces/SetEntityState", entities::set_state),
    ("/spawn_entity", "simulation_interfaces/SpawnEntity", entities::spawn),
    ("/delete_entity", "simulation_interfaces/DeleteEntity", entities::delete),
    ("/retake/undo", "std_srvs/Trigger", simulation::undo),
    ("/retake/redo", "std_srvs/Trigger", simulation::redo),
    ("/retake/save_executed_motion", "retake_interfaces/SaveExecutedMotion", executed::save),
];

/// Lists the services.
pub(super) fn entries() -> Vec<ServiceEntry> {
    let entry = |(name, type_name, _): &(&str, &'static str, Handler)| ServiceEntry {
        name: (*name).to_owned(),
        type_name,
    };
    SERVICES.iter().map(entry).collect()
}

/// Calls a service.
pub(super) fn call(worker: &mut Worker, service: &str, request: &Value, reply: ServiceReply) {
    match SERVICES.iter().find(|(name, ..)| *name == service) {
        Some((_, _, handler)) => handler(worker, request, reply),
        None => {
            let known: Vec<&str> = SERVICES.iter().map(|(name, ..)| *name).collect();
            reply(Err(format!("No service {service:?}. Known: {}", known.join(", "))));
        }
    }
}
