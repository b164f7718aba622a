//! What moves with what.
//!
//! A frame moves with what it is attached to, a joint with its child, a model with its canonical
//! link. Every node has one successor, so all answers are found in one pass over the graph.

use super::graph::{Graph, Kind, NodeId, ScopeId, WORLD};

/// What a node moves with in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attached {
    /// A link.
    Link(NodeId),
    /// The world.
    World,
    /// A model without any link, or frames that are attached in a circle.
    Nothing,
}

/// The answers for every node.
#[derive(Default)]
pub(super) struct Attachments {
    /// The carrying link of each node.
    links: Vec<Option<NodeId>>,
    /// Where each node's chain of frames ends: at a link, a joint or a holder.
    ends: Vec<Option<NodeId>>,
}

impl Attachments {
    /// Finds what every node moves with.
    pub(super) fn new(graph: &Graph) -> Self {
        let canonical = canonical_links(graph);
        let along_frames = |node: NodeId| match graph.nodes[node].kind {
            Kind::Frame => Some(graph.next_attached(node)),
            _ => None,
        };
        let to_links = |node: NodeId| match graph.nodes[node].kind {
            Kind::Link | Kind::Holder(WORLD) => None,
            // A model without a link leads to itself, which counts as a circle.
            Kind::Holder(inside) => Some(canonical[inside].unwrap_or(node)),
            Kind::Joint | Kind::Frame => Some(graph.next_attached(node)),
        };
        let count = graph.nodes.len();
        Self { links: followed(count, to_links), ends: followed(count, along_frames) }
    }

    /// Returns what a node moves with.
    pub(super) fn carrier(&self, graph: &Graph, node: NodeId) -> Attached {
        match self.links[node] {
            Some(end) if graph.nodes[end].kind == Kind::Link => Attached::Link(end),
            Some(_) => Attached::World,
            None => Attached::Nothing,
        }
    }

    /// Says whether a frame moves with the very model or world that holds it.
    pub(super) fn moves_with_holder(&self, graph: &Graph, node: NodeId) -> bool {
        self.ends[node] == Some(graph.scopes[graph.nodes[node].scope].holder)
    }
}

impl Graph {
    fn next_attached(&self, node: NodeId) -> NodeId {
        let record = &self.nodes[node];
        record.attached_to.unwrap_or(self.scopes[record.scope].holder)
    }
}

impl Graph {
    /// Finds the link that carries a model's frame when none is named.
    pub(super) fn default_canonical(&self, scope: ScopeId) -> Option<NodeId> {
        let inside = &self.scopes[scope];
        let nested = |&model: &ScopeId| {
            self.scopes[model].canonical.or_else(|| self.default_canonical(model))
        };
        let own = (inside.link_count > 0).then_some(inside.first_link);
        own.or_else(|| inside.models.iter().find_map(nested))
    }
}

/// Finds the link that carries each model's frame: the named one, the first one, or that of the
/// first nested model that has any.
fn canonical_links(graph: &Graph) -> Vec<Option<NodeId>> {
    let mut found: Vec<Option<NodeId>> = vec![None; graph.scopes.len()];
    // Nested scopes come after the ones that hold them.
    let scopes: Vec<ScopeId> = (0..graph.scopes.len()).rev().collect();
    for scope in scopes {
        let inside = &graph.scopes[scope];
        let own = (inside.link_count > 0).then_some(inside.first_link);
        let nested = || inside.models.iter().find_map(|&model| found[model]);
        found[scope] = inside.canonical.or(own).or_else(nested);
    }
    found
}

/// Follows `next` from every node to where it ends; none for what goes round in a circle.
fn followed(count: usize, next: impl Fn(NodeId) -> Option<NodeId>) -> Vec<Option<NodeId>> {
    #[derive(Clone, Copy)]
    enum Mark {
        New,
        OnPath,
        Done(Option<NodeId>),
    }
    let mut marks = vec![Mark::New; count];
    let mut path = Vec::new();
    for start in 0..count {
        let mut at = start;
        let end = loop {
            match marks[at] {
                Mark::Done(end) => break end,
                Mark::OnPath => break None,
                Mark::New => {}
            }
            marks[at] = Mark::OnPath;
            path.push(at);
            match next(at) {
                Some(following) => at = following,
                None => break Some(at),
            }
        };
        for node in path.drain(..) {
            marks[node] = Mark::Done(end);
        }
    }
    let ends = marks.into_iter().map(|mark| match mark {
        Mark::Done(end) => end,
        Mark::New | Mark::OnPath => None,
    });
    ends.collect()
}
