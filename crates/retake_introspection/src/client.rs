//! Finds managers and watches their items.

use std::sync::Arc;
use std::time::Duration;

use retake_msgs::{IntrospectionItems, ItemsRequest, names};
use retake_transport::{Bus, BusError, CallError, typed};

use crate::watch::{Sampled, Watch};

/// How long a manager may take to answer.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(5);

/// Finds managers on a bus and watches their items.
#[derive(Clone)]
pub struct IntrospectionClient {
    bus: Arc<dyn Bus>,
}

impl IntrospectionClient {
    /// Looks on a bus.
    pub fn new(bus: Arc<dyn Bus>) -> Self {
        Self { bus }
    }

    /// Lists the managers that are there, by id.
    ///
    /// # Errors
    /// [`BusError::NoAnswer`] when discovery fails.
    pub fn managers(&self) -> Result<Vec<String>, BusError> {
        let services = self.bus.services()?;
        Ok(services.iter().filter_map(|service| names::manager_of_items(&service.name)).collect())
    }

    /// Asks a manager for its items.
    ///
    /// # Errors
    /// [`CallError`] when it does not answer.
    pub fn items(
        &self,
        manager: &str,
        request: &ItemsRequest,
    ) -> Result<IntrospectionItems, CallError> {
        typed::call(self.bus.as_ref(), &names::introspection_items(manager), request, TIMEOUT)
    }

    /// Prepares to watch items of a manager, which need not be there yet; `sink` is called with
    /// every sample, on the transport's threads. [`Watch::keep`] begins it and keeps it up.
    pub fn watch(
        &self,
        manager: &str,
        sink: impl Fn(&Sampled<'_>) + Send + Sync + 'static,
    ) -> Watch {
        Watch::new(Arc::clone(&self.bus), manager, Arc::new(sink))
    }
}
