//! A tree written out as text or Markdown.

use crate::join::join;
use crate::out::Out;
use crate::page::Page;
use crate::tree::{Content, Id, Tree, ROOT};

#[derive(Clone, Copy, PartialEq)]
pub enum Format {
    Text,
    Markdown,
}

#[derive(Clone, Copy)]
pub struct Shape {
    pub format: Format,
    /// The most bytes of text.
    pub max: usize,
}

/// The most bytes of a title, and of a link's text.
const MAX_TITLE: usize = 300;

pub struct Link {
    pub text: String,
    pub url: String,
}

/// The longest beginning of a text that is no longer than that, in whole characters.
pub fn cut(s: &str, max: usize) -> &str {
    let mut end = max.min(s.len());
    while !s.is_char_boundary(end) {
        end -= 1;
    }
    &s[..end]
}

/// Elements of which a reader sees nothing as text.
const UNSEEN: &[&str] = &[
    "head", "script", "style", "template", "noscript", "svg", "math", "canvas", "object", "embed", "iframe", "audio", "video", "map",
    "datalist", "select", "noframes",
];
/// Elements that stand in paragraphs of their own, and those that begin a line.
const PARAGRAPHS: &[&str] = &[
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "dl",
    "table",
    "pre",
    "blockquote",
    "figure",
    "hr",
    "form",
    "article",
    "section",
];
const LINES: &[&str] = &[
    "div",
    "li",
    "tr",
    "dt",
    "dd",
    "caption",
    "figcaption",
    "header",
    "footer",
    "main",
    "nav",
    "aside",
    "address",
    "fieldset",
    "legend",
    "details",
    "summary",
    "option",
    "body",
    "center",
    "dialog",
];

pub fn render(tree: &Tree, url: &str, shape: Shape) -> Page {
    let mut w = Writer {
        tree,
        url: url.into(),
        markdown: shape.format == Format::Markdown,
        max: shape.max,
        out: Out::default(),
        links: Vec::new(),
        lists: Vec::new(),
        title: None,
    };
    let truncated = !w.walk();
    let title = w.title.unwrap_or_default();
    let text = cut(&w.out.text, shape.max).trim_end();
    Page { title: cut(&one_line(&title), MAX_TITLE).into(), truncated, text: text.into(), links: w.links }
}

fn one_line(s: &str) -> String {
    s.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct Writer<'a> {
    tree: &'a Tree,
    url: String,
    markdown: bool,
    max: usize,
    out: Out,
    links: Vec<Link>,
    lists: Vec<Option<usize>>, // the number of the next item; none: it has no numbers
    title: Option<String>,
}

enum Step {
    Enter(Id),
    Leave(Id),
}

impl Writer<'_> {
    /// Goes through the tree in its order. False: there is more than may be written.
    fn walk(&mut self) -> bool {
        let mut steps = vec![Step::Enter(ROOT)];
        let mut starts = Vec::new(); // where the texts of open links begin
        while let Some(step) = steps.pop() {
            if self.out.text.len() > self.max {
                return false;
            }
            match step {
                Step::Leave(id) => self.leave(id, &mut starts),
                Step::Enter(id) => {
                    let node = &self.tree.nodes[id];
                    if let Some(next) = node.next {
                        steps.push(Step::Enter(next));
                    }
                    match &node.content {
                        Content::Text(t) => self.out.write(t),
                        Content::Element(name, _) => {
                            let name = &*name.local;
                            if name == "head" {
                                self.head(id);
                            }
                            if UNSEEN.contains(&name) || self.hidden(id, name) {
                                continue;
                            }
                            steps.push(Step::Leave(id));
                            self.enter(id, name, &mut starts);
                        }
                        Content::Nothing => {}
                    }
                    if let Some(first) = self.tree.nodes[id].first {
                        steps.push(Step::Enter(first));
                    }
                }
            }
        }
        true
    }

    /// The title and what links are relative to.
    fn head(&mut self, id: Id) {
        let mut child = self.tree.nodes[id].first;
        while let Some(id) = child {
            let node = &self.tree.nodes[id];
            if let Content::Element(name, _) = &node.content {
                let text = node.first.and_then(|t| match &self.tree.nodes[t].content {
                    Content::Text(t) => Some(t.to_string()),
                    _ => None,
                });
                match &*name.local {
                    "title" if self.title.is_none() => self.title = text,
                    "base" => {
                        if let Some(base) = self.tree.attribute(id, "href").and_then(|h| join(&self.url, h)) {
                            self.url = base;
                        }
                    }
                    _ => {}
                }
            }
            child = node.next;
        }
    }

    /// Whether an element says itself that it is not shown.
    fn hidden(&self, id: Id, name: &str) -> bool {
        let is = |attribute: &str, value: &str| self.tree.attribute(id, attribute).map_or(false, |v| v.eq_ignore_ascii_case(value));
        if self.tree.attribute(id, "hidden").is_some()
            || is("aria-hidden", "true")
            || name == "dialog" && self.tree.attribute(id, "open").is_none()
        {
            return true;
        }
        let style: String = self.tree.attribute(id, "style").unwrap_or("").chars().filter(|c| !c.is_whitespace()).collect();
        style.to_ascii_lowercase().split(';').any(|rule| {
            let rule = rule.trim_end_matches("!important");
            matches!(
                rule,
                "display:none"
                    | "visibility:hidden"
                    | "visibility:collapse"
                    | "opacity:0"
                    | "opacity:0.0"
                    | "font-size:0"
                    | "font-size:0px"
                    | "content-visibility:hidden"
            )
        })
    }

    fn enter(&mut self, id: Id, name: &str, starts: &mut Vec<usize>) {
        self.part(name);
        let level = heading(name);
        match name {
            "br" => self.out.newline(),
            "hr" if self.markdown => self.out.raw("---"),
            "ul" | "menu" => self.lists.push(None),
            "ol" => self.lists.push(Some(self.tree.attribute(id, "start").and_then(|s| s.parse().ok()).unwrap_or(1))),
            "li" => {
                let marker = match self.lists.last_mut() {
                    Some(Some(n)) => {
                        *n = n.saturating_add(1);
                        format!("{}. ", *n - 1)
                    }
                    _ => "- ".into(),
                };
                self.out.raw(&marker);
                self.out.indent(&" ".repeat(marker.len()));
            }
            "blockquote" => self.out.indent(if self.markdown { "> " } else { "  " }),
            "td" | "th" if self.tree.cell_before(id) => self.out.raw(" | "),
            "pre" => {
                if self.markdown {
                    self.out.raw("```");
                    self.out.want(1);
                }
                self.out.pre += 1;
            }
            "a" => starts.push(self.out.mark()),
            "img" => {
                let alt = one_line(self.tree.attribute(id, "alt").unwrap_or(""));
                if self.markdown && !alt.is_empty() {
                    self.out.write(&format!("[image: {}]", alt));
                }
            }
            "textarea" | "button" | "label" => self.out.space = true,
            _ if level > 0 && self.markdown => self.out.raw(&format!("{} ", "#".repeat(level))),
            _ if self.markdown => self.out.open(emphasis(name)),
            _ => {}
        }
    }

    fn leave(&mut self, id: Id, starts: &mut Vec<usize>) {
        let name = match &self.tree.nodes[id].content {
            Content::Element(name, _) => &*name.local,
            _ => return,
        };
        match name {
            "ul" | "ol" | "menu" => drop(self.lists.pop()),
            "li" | "blockquote" => self.out.outdent(),
            "pre" => {
                self.out.pre = self.out.pre.saturating_sub(1);
                if self.markdown {
                    self.out.want(1);
                    self.out.raw("```");
                }
            }
            "a" => {
                if let (Some(start), Some(url)) = (starts.pop(), self.tree.attribute(id, "href").and_then(|h| join(&self.url, h))) {
                    self.link(start, url);
                }
            }
            _ if self.markdown => self.out.close(emphasis(name)),
            _ => {}
        }
        self.part(name);
    }

    fn link(&mut self, start: usize, url: String) {
        let text = one_line(self.out.text.get(start..).unwrap_or(""));
        if text.is_empty() {
            return;
        }
        if self.markdown {
            let lead = self.out.text[start..].len() - self.out.text[start..].trim_start().len();
            self.out.text.insert(start + lead, '[');
            self.out.text.push_str(&format!("]({})", url.replace(')', "%29").replace(' ', "%20")));
        }
        self.links.push(Link { text: cut(&text, MAX_TITLE).into(), url });
    }

    fn part(&mut self, name: &str) {
        // Items of a list in a list stand as close as those of any other.
        let nested = matches!(name, "ul" | "ol") && self.lists.len() > usize::from(self.lists.len() > 1);
        if PARAGRAPHS.contains(&name) && !nested {
            self.out.want(2);
        } else if PARAGRAPHS.contains(&name) || LINES.contains(&name) {
            self.out.want(1);
        }
    }
}

fn heading(name: &str) -> usize {
    match name {
        "h1" => 1,
        "h2" => 2,
        "h3" => 3,
        "h4" => 4,
        "h5" => 5,
        "h6" => 6,
        _ => 0,
    }
}

fn emphasis(name: &str) -> &'static str {
    match name {
        "b" | "strong" => "**",
        "i" | "em" => "*",
        "code" | "kbd" | "samp" => "`",
        "del" | "s" => "~~",
        _ => "",
    }
}
