//! The graph and the search for names.

use std::collections::HashMap;

use retake_diag::Place;
use retake_math::{Pose, unit_pose};

use super::attach::Attachments;

/// Index of a node.
pub(super) type NodeId = usize;
/// Index of a scope.
pub(super) type ScopeId = usize;

/// The scope of the world itself.
pub(super) const WORLD: ScopeId = 0;

/// Most parts of a name like `a::b`.
const MAX_PARTS: usize = 100;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The frame of the world or of a model: the holder of the scope it names.
    Holder(ScopeId),
    Link,
    Joint,
    Frame,
}

/// A frame in the graph.
pub(super) struct FrameNode {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Scope in which the node is named.
    pub(super) scope: ScopeId,
    /// What the pose is relative to; none for the world.
    pub(super) parent: Option<NodeId>,
    /// Pose relative to the parent.
    pub(super) parent_from_node: Pose,
    /// What a joint or frame moves with; none means the holder of its scope.
    pub(super) attached_to: Option<NodeId>,
    /// Where the file says what the pose is relative to, if it does.
    pub(super) place: Option<Place>,
    /// Pose in the world; known once the graph is resolved.
    pub(super) world_from_node: Pose,
}

/// The inside of a world or model.
pub(super) struct Scope {
    /// Node of the world or model itself.
    pub(super) holder: NodeId,
    /// How many models are around it.
    pub(super) depth: usize,
    names: HashMap<String, NodeId>,
    /// Node of the first link; the others follow.
    pub(super) first_link: NodeId,
    pub(super) link_count: usize,
    pub(super) first_joint: NodeId,
    pub(super) first_frame: NodeId,
    /// Scopes of the nested models.
    pub(super) models: Vec<ScopeId>,
    /// The link that carries the model's frame, when the file names one.
    pub(super) canonical: Option<NodeId>,
}

/// All frames of a world.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<FrameNode>,
    pub(super) scopes: Vec<Scope>,
    /// What every node moves with; known once the graph is resolved.
    pub(super) attachments: Attachments,
}

impl Graph {
    /// Adds a node and makes it known in its scope.
    pub(super) fn add(&mut self, name: &str, kind: Kind, scope: ScopeId, pose: Pose) -> NodeId {
        let id = self.nodes.len();
        self.nodes.push(FrameNode {
            name: name.to_owned(),
            kind,
            scope,
            parent: None,
            parent_from_node: pose,
            attached_to: None,
            place: None,
            world_from_node: Pose::IDENTITY,
        });
        if let Some(scope) = self.scopes.get_mut(scope)
            && !name.is_empty()
        {
            scope.names.entry(name.to_owned()).or_insert(id);
        }
        id
    }

    /// Adds a scope held by `holder`.
    pub(super) fn add_scope(&mut self, holder: NodeId, depth: usize) -> ScopeId {
        self.scopes.push(Scope {
            holder,
            depth,
            names: HashMap::new(),
            first_link: 0,
            link_count: 0,
            first_joint: 0,
            first_frame: 0,
            models: Vec::new(),
            canonical: None,
        });
        self.scopes.len() - 1
    }

    /// Finds the node that `name` means in a scope: `__model__`, `world`, a name, or `a::b`.
    pub(super) fn find(&self, scope: ScopeId, name: &str) -> Option<NodeId> {
        let inside = &self.scopes[scope];
        // The whole name first: old files have `::` inside the names of flattened models.
        if let Some(&node) = inside.names.get(name) {
            return Some(node);
        }
        match name {
            "__model__" if scope != WORLD => return Some(inside.holder),
            "world" if scope == WORLD => return Some(inside.holder),
            _ => {}
        }
        // No name reaches deeper than models are nested.
        let splits = name.match_indices("::").take(MAX_PARTS);
        splits.into_iter().find_map(|(at, _)| {
            let model = *inside.names.get(&name[..at])?;
            let Kind::Holder(nested) = self.nodes[model].kind else { return None };
            self.find(nested, &name[at + 2..])
        })
    }

    /// Writes the name of a node as seen from a scope around it.
    pub(super) fn path_from(&self, scope: ScopeId, node: NodeId) -> String {
        let mut parts = vec![self.nodes[node].name.as_str()];
        let mut at = self.nodes[node].scope;
        while at != scope && at != WORLD {
            let holder = &self.nodes[self.scopes[at].holder];
            parts.push(&holder.name);
            at = holder.scope;
        }
        parts.reverse();
        parts.join("::")
    }

    /// Returns the names that a scope knows, sorted; none when there are too many to look through.
    pub(super) fn known_names(&self, scope: ScopeId) -> Vec<&str> {
        const MANY: usize = 1000;
        if self.scopes[scope].names.len() > MANY {
            return Vec::new();
        }
        let mut names: Vec<&str> = self.scopes[scope].names.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Returns the pose of `node` in the frame of `outer`.
    ///
    /// What is written relative to `outer` comes back as it was written, to the bit; what is near
    /// it in the graph does not depend on where both are in the world.
    pub(super) fn pose_in(&self, outer: NodeId, node: NodeId) -> Pose {
        let inner = &self.nodes[node];
        match inner.parent {
            Some(parent) if parent == outer => inner.parent_from_node,
            _ if node == outer => Pose::IDENTITY,
            _ => unit_pose(self.near_pose(outer, node).unwrap_or_else(|| {
                self.nodes[outer].world_from_node.inverse() * inner.world_from_node
            })),
        }
    }

    /// Goes up from both nodes to where they meet; none when that is far away.
    fn near_pose(&self, outer: NodeId, node: NodeId) -> Option<Pose> {
        const NEAR: usize = 16;
        let ancestors = |start: NodeId| {
            let up = move |&(at, at_from_start): &(NodeId, Pose)| {
                let parent = self.nodes[at].parent?;
                Some((parent, self.nodes[at].parent_from_node * at_from_start))
            };
            std::iter::successors(Some((start, Pose::IDENTITY)), up).take(NEAR)
        };
        let outer_side: Vec<(NodeId, Pose)> = ancestors(outer).collect();
        ancestors(node).find_map(|(at, at_from_node)| {
            let (_, at_from_outer) = outer_side.iter().find(|(other, _)| *other == at)?;
            Some(at_from_outer.inverse() * at_from_node)
        })
    }
}
