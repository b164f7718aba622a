//! What moves with what.

use super::graph::{Graph, Kind, NodeId, ScopeId, WORLD};

/// What a frame moves with in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attached {
    /// A link.
    Link(NodeId),
    /// The world.
    World,
    /// A model without any link, or frames that are attached in a circle.
    Nothing,
}

impl Graph {
    /// Follows attachments from a node to the link that carries it.
    pub(super) fn attached_link(&self, node: NodeId) -> Attached {
        let mut at = node;
        // A chain longer than the graph goes round in a circle.
        for _ in 0..=self.nodes.len() {
            let record = &self.nodes[at];
            at = match record.kind {
                Kind::Link => return Attached::Link(at),
                Kind::Holder(WORLD) => return Attached::World,
                Kind::Holder(inside) => match self.canonical_link(inside) {
                    Some(link) => link,
                    None => return Attached::Nothing,
                },
                Kind::Joint | Kind::Frame => {
                    record.attached_to.unwrap_or(self.scopes[record.scope].holder)
                }
            };
        }
        Attached::Nothing
    }

    /// Finds the link that carries a model's frame: the named one, the first one, or that of the
    /// first nested model that has any.
    pub(super) fn canonical_link(&self, scope: ScopeId) -> Option<NodeId> {
        let inside = &self.scopes[scope];
        inside.canonical.or_else(|| {
            let own = (inside.link_count > 0).then_some(inside.first_link);
            own.or_else(|| inside.models.iter().find_map(|&model| self.canonical_link(model)))
        })
    }

    /// Says whether a frame of a scope moves with the holder of that scope itself, going only
    /// through frames.
    pub(super) fn moves_with_holder(&self, node: NodeId) -> bool {
        let scope = self.nodes[node].scope;
        let mut at = node;
        for _ in 0..=self.nodes.len() {
            match (self.nodes[at].kind, self.nodes[at].attached_to) {
                (Kind::Frame, Some(next)) => at = next,
                (Kind::Frame, None) => return self.nodes[at].scope == scope,
                _ => return at == self.scopes[scope].holder,
            }
        }
        false
    }
}
