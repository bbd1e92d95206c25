//! A page as the tree that a browser makes of it. Nodes are numbers in one list:
//! however deep a page is nested, nothing calls itself.

use std::borrow::Cow;

use html5ever::interface::{ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName};

pub type Id = usize;

#[derive(Default)]
pub struct Node {
    parent: Option<Id>,
    before: Option<Id>,
    pub next: Option<Id>,
    pub first: Option<Id>,
    last: Option<Id>,
    depth: usize,
    pub content: Content,
}

pub enum Content {
    Nothing,
    Text(StrTendril),
    Element(QualName, Vec<Attribute>),
}

impl Default for Content {
    fn default() -> Content {
        Content::Nothing
    }
}

/// A page of more nodes, or nested deeper, is not read to its end: what browsers
/// mend in it could take time and memory out of all proportion.
const MAX_NODES: usize = 300_000;
const MAX_DEPTH: usize = 512;

pub struct Tree {
    pub nodes: Vec<Node>,
    deepest: usize,
}

pub const ROOT: Id = 0;

impl Tree {
    pub fn new() -> Tree {
        Tree { nodes: vec![Node::default()], deepest: 0 }
    }

    pub fn full(&self) -> bool {
        self.nodes.len() > MAX_NODES || self.deepest > MAX_DEPTH
    }

    pub fn attribute(&self, id: Id, name: &str) -> Option<&str> {
        match &self.nodes[id].content {
            Content::Element(_, attrs) => attrs.iter().find(|a| &*a.name.local == name).map(|a| &*a.value),
            _ => None,
        }
    }

    /// Whether a cell has another one before it in its row.
    pub fn cell_before(&self, id: Id) -> bool {
        let mut at = self.nodes[id].before;
        while let Some(b) = at {
            if let Content::Element(name, _) = &self.nodes[b].content {
                return matches!(&*name.local, "td" | "th");
            }
            at = self.nodes[b].before;
        }
        false
    }

    fn add(&mut self, content: Content) -> Id {
        self.nodes.push(Node { content, ..Node::default() });
        self.nodes.len() - 1
    }

    fn detach(&mut self, id: Id) {
        let (parent, before, next) = (self.nodes[id].parent.take(), self.nodes[id].before.take(), self.nodes[id].next.take());
        match (before, parent) {
            (Some(b), _) => self.nodes[b].next = next,
            (None, Some(p)) => self.nodes[p].first = next,
            _ => {}
        }
        match (next, parent) {
            (Some(n), _) => self.nodes[n].before = before,
            (None, Some(p)) => self.nodes[p].last = before,
            _ => {}
        }
    }

    /// Puts a node below a parent, before one of its children or at the end.
    fn place(&mut self, parent: Id, id: Id, next: Option<Id>) {
        self.detach(id);
        let before = match next {
            Some(n) => self.nodes[n].before,
            None => self.nodes[parent].last,
        };
        let depth = self.nodes[parent].depth + 1;
        self.deepest = self.deepest.max(depth);
        let n = &mut self.nodes[id];
        (n.parent, n.before, n.next, n.depth) = (Some(parent), before, next, depth);
        match before {
            Some(b) => self.nodes[b].next = Some(id),
            None => self.nodes[parent].first = Some(id),
        }
        match next {
            Some(n) => self.nodes[n].before = Some(id),
            None => self.nodes[parent].last = Some(id),
        }
    }

    fn put(&mut self, parent: Id, child: NodeOrText<Id>, next: Option<Id>) {
        let id = match child {
            NodeOrText::AppendNode(id) => id,
            NodeOrText::AppendText(text) => {
                let before = match next {
                    Some(n) => self.nodes[n].before,
                    None => self.nodes[parent].last,
                };
                if let Some(Content::Text(t)) = before.map(|b| &mut self.nodes[b].content) {
                    t.push_tendril(&text);
                    return;
                }
                self.add(Content::Text(text))
            }
        };
        self.place(parent, id, next);
    }
}

impl TreeSink for Tree {
    type Handle = Id;
    type Output = Tree;

    fn finish(self) -> Tree {
        self
    }

    fn parse_error(&mut self, _: Cow<'static, str>) {}

    fn get_document(&mut self) -> Id {
        ROOT
    }

    fn elem_name<'a>(&'a self, id: &'a Id) -> ExpandedName<'a> {
        match &self.nodes[*id].content {
            Content::Element(name, _) => name.expanded(),
            _ => unreachable!("only elements are asked for their names"),
        }
    }

    fn create_element(&mut self, name: QualName, attrs: Vec<Attribute>, _: ElementFlags) -> Id {
        self.add(Content::Element(name, attrs))
    }

    fn create_comment(&mut self, _: StrTendril) -> Id {
        self.add(Content::Nothing)
    }

    fn create_pi(&mut self, _: StrTendril, _: StrTendril) -> Id {
        self.add(Content::Nothing)
    }

    fn append(&mut self, parent: &Id, child: NodeOrText<Id>) {
        self.put(*parent, child, None)
    }

    fn append_based_on_parent_node(&mut self, element: &Id, before: &Id, child: NodeOrText<Id>) {
        if self.nodes[*element].parent.is_some() {
            self.append_before_sibling(element, child)
        } else {
            self.append(before, child)
        }
    }

    fn append_doctype_to_document(&mut self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// What is in a template is not shown, so that its contents may be its children.
    fn get_template_contents(&mut self, id: &Id) -> Id {
        *id
    }

    fn same_node(&self, x: &Id, y: &Id) -> bool {
        x == y
    }

    fn set_quirks_mode(&mut self, _: QuirksMode) {}

    fn append_before_sibling(&mut self, sibling: &Id, child: NodeOrText<Id>) {
        if let Some(parent) = self.nodes[*sibling].parent {
            self.put(parent, child, Some(*sibling))
        }
    }

    fn add_attrs_if_missing(&mut self, id: &Id, more: Vec<Attribute>) {
        if let Content::Element(_, attrs) = &mut self.nodes[*id].content {
            for a in more {
                if !attrs.iter().any(|b| a.name == b.name) {
                    attrs.push(a);
                }
            }
        }
    }

    fn remove_from_parent(&mut self, id: &Id) {
        self.detach(*id)
    }

    fn reparent_children(&mut self, id: &Id, parent: &Id) {
        while let Some(child) = self.nodes[*id].first {
            self.place(*parent, child, None);
        }
    }
}
