package quarantine

// forgeries are shapes that only machines write to machines: turns, roles,
// calls of tools. They are matched in the text before folding, where case and
// line ends still are.
func forgeries() []rule {
	return []rule{
		{
			technique: "role_delimiter", weight: 3, raw: true, need: []string{"<|", "|>", "<｜"},
			pattern: re(`<[|｜]\s*(?:im_start|im_end|im_sep|system|user|assistant|endoftext|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id|eom_id|end_of_turn|start|end|message|channel|return|call|tool|tool_call|end▁of▁sentence|begin▁of▁sentence|fim_\w+|python_tag|END_OF_TURN_TOKEN|START_OF_TURN_TOKEN|\w*(?:SYSTEM|USER|CHATBOT)_TOKEN)\s*[|｜]>`),
		},
		{
			technique: "role_delimiter", weight: 3, raw: true, need: []string{"INST]", "SYS>", "[SYSTEM", "[/SYSTEM", "[AVAILABLE_TOOLS", "[TOOL_"},
			pattern: re(`\[/?INST\]|<</?SYS>>|\[/?(?:AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|SYSTEM_PROMPT)\]`),
		},
		{
			technique: "role_delimiter", weight: 3, raw: true, need: []string{"_of_turn>"},
			pattern: re(`<(?:start|end)_of_turn>`),
		},
		{
			technique: "role_delimiter", weight: 3, raw: true, need: []string{"##"},
			pattern: re(`(?i)(?:^|\n)\s*#{2,4} ?(?:system|human|assistant|user|instruction|response)s?\s*:[^\n]*\n(?s:.{0,300}?)\n?\s*#{2,4} ?(?:system|human|assistant|user|instruction|response)s?\s*:`),
		},
		{
			technique: "tool_call_forgery", weight: 3, raw: true, need: []string{`"action"`, `'action'`},
			pattern: re(`(?i)["']action["']\s*:\s*["'](?:click|type|navigate|goto|open|press|fill|submit|scroll|run|execute)\w*["'][^{}]{0,200}["'](?:thought|reasoning|selector|coordinates?|xpath|element_id)["']\s*:`),
		},
		{
			technique: "tool_call_forgery", weight: 2, raw: true, need: []string{"agent.", "assistant.", "llm."},
			pattern: re(`\b(?:agent|assistant|llm)\.(?:override|execute|disable|bypass|send|delete|ignore|exfiltrate|unlock)\w*\s*\(`),
		},
		{
			technique: "role_delimiter", weight: 3, raw: true, need: []string{"[/"},
			pattern: re(`\[/(?:SYSTEM|USER|ASSISTANT|HUMAN|DEVELOPER)\]`),
		},
		{
			technique: "tool_call_forgery", weight: 3, raw: true, need: []string{"Action:"},
			pattern: re(`(?:^|\n)\s*Action\s*:\s*[a-z]\w*[\[(][^\n]*[\])]\s*\n\s*(?:Observation|Thought)\s*:`),
		},
		{
			technique: "exfiltration", weight: 3, raw: true, need: []string{"=<", "=[", "={"},
			pattern: re(`(?i)https?://[^\s"']{1,200}[?&][\w-]+=(?:<|\[|\{)+[^>\]}\n]{0,20}\b(?:session|cookies?|passwords?|conversation|history|user'?s|system prompt|secrets?)\b[^>\]}\n]{0,20}[>\]}]`),
		},
		{
			// Elements named after the machine that is to read them.
			technique: "role_delimiter", weight: 3, raw: true, need: []string{"<assistant", "<ai", "<agent", "<model", "<llm", "<bot", "<AI", "<LLM", "<chatbot"},
			pattern: re(`(?i)<(?:assistants?|ai|agents?|models?|llm|bot|chatbot)[_-](?:instructions?|prompts?|directives?|messages?|notes?|commands?|orders|tasks?)\b[^<>]{0,40}>\s*[^<\s]`),
		},
		{
			technique: "role_delimiter", weight: 3, raw: true, need: []string{"```system", "```assistant", "```prompt", "```instruction", "~~~system", "](#"},
			pattern: re("(?i)(?:^|\\n)\\s*(?:```+|~~~+)(?:system|assistant|instructions?|(?:system[_-])?prompt)\\s*\\n|\\[(?:system|assistant|user)\\]\\(#\\w*\\)"),
		},
		{
			// The end of somebody else's JSON, then a turn.
			technique: "role_delimiter", weight: 3, raw: true, need: []string{`"role"`, `'role'`},
			pattern: re(`^\W{0,3}["'][\s,]*[}\])]+[}\])\s,;]*\{\s*["']role["']\s*:`),
		},
		{
			technique: "exfiltration", weight: 3, raw: true, need: []string{"http"},
			pattern: re(`(?i)https?://[^\s"'\x60]{1,200}["'\x60]?\s*\+\s*(?:\w+[.\[(]["']?)*\w*(?:api_?key|token|secret|password|cookies?|credential|history|conversation|environ)\w*`),
		},
		{
			technique: "role_delimiter", weight: 2, raw: true, need: []string{"[["},
			pattern: re(`(?i)\[\[\s*/?\s*(?:system|sys|admin|assistant|developer|instructions?|override)\b[^\]\n]{0,40}\]\]`),
		},
		{
			// A yes in the person's name.
			technique: "role_delimiter", weight: 2, raw: true, need: []string{"User:", "Human:", "USER:", "HUMAN:"},
			pattern: re(`(?:^|\n)\s*(?:User|Human|USER|HUMAN)\s*:\s*(?i:yes,? (?:please|go|do|i|proceed|delete|send)|i (?:confirm|approve|authori[sz]e|agree|allow)|approved|confirmed|go ahead|proceed|permission granted)\b`),
		},
		{
			technique: "markdown_exfil", weight: 3, raw: true, need: []string{"document.cookie", "localStorage", "sessionStorage"},
			pattern: re(`https?://[^\s"'\x60]{1,200}["'\x60]?\s*(?:\+|\$\{)\s*(?:\w+\()*(?:document\.cookie|localStorage|sessionStorage)`),
		},
		{
			// Whatever a model calls its tokens, this is how they look.
			technique: "role_delimiter", weight: 3, raw: true, need: []string{"<|", "<｜", "|>", "｜>"},
			pattern: re(`<[|｜][A-Za-z][\w▁]{1,40}[|｜]>|<(?:[|｜]\w{2,20}|\w{2,20}[|｜])>\s*(?:user|model|system|assistant|tool|developer)\b`),
		},
		{
			technique: "role_delimiter", weight: 3, raw: true, need: []string{"role=", "role =", "from="},
			pattern: re(`(?i)<(?:message|msg|turn|chat)\s+(?:role|from)\s*=\s*["']?(?:system|assistant|developer|admin)\b`),
		},
		{
			technique: "tool_call_forgery", weight: 3, raw: true, need: []string{"_tool(", "_tool (", "tool_call(", "function_call(", "callTool(", "use_mcp"},
			pattern: re(`(?:^|[\s:>({\["'=\x60])(?:(?:call|invoke|use|run|execute|exec)_tool|tool_call|function_call|callTool)\s?\(\s*["'{]`),
		},
		{
			technique: "tool_call_forgery", weight: 3, raw: true, need: []string{"ool:", "unction:", "ommand:", "OOL:"},
			pattern: re(`(?i)(?:^|\n|\\n)\s*(?:tool|function|command|tool[ _]name)\s*:\s*[\w.]*[\w](?:\n|\\n)\s*(?:tool[ _])?(?:input|args|arguments|parameters|params)\s*:`),
		},
		{
			technique: "role_delimiter", weight: 3, raw: true, unopened: true, need: []string{"</"},
			pattern: re(`(?i)</(?:tool_results?|tool_response|tool_output|function_results?|function_response|user_input|user_query|user_message|untrusted\w*|retrieved\w*|search_results?|web_?page(?:_content)?|page_content|system_prompt|system-?message|instructions|context|documents?|observation|external_content|data|input|email_body|content|user|assistant|system|human|prompt|result|output|query|web_content)>[^<]{0,10}\s*(?:$|\n\s*(?:<|\[|Human|User|System|Assistant|SYSTEM|USER|#|\w+:|[A-Z])|<(?:system|user|assistant|instructions?|human|new_\w+|admin))`),
		},
		{
			technique: "role_delimiter", weight: 2.5, raw: true, need: []string{"<system", "<assistant", "<SYSTEM", "<System", "<instructions", "<admin", "<developer", "<user>", "<human>", "<important", "<IMPORTANT", "<policy", "<override", "<secret"},
			pattern: re(`(?i)<(?:system(?:[_-]?(?:prompt|message|instructions?|reminder|note|override))?|assistant|admin(?:istrator)?|developer(?:[_-]message)?|instructions?|human|important|override|secret_instructions?|policy_update|new_instructions)>\s*[^<\s]`),
		},
		{
			technique: "role_delimiter", weight: 2, raw: true, need: []string{"Human:", "User:", "USER:", "HUMAN:", "Assistant:", "ASSISTANT:", "System:", "SYSTEM:"},
			pattern: re(`(?:^|\n|\\n)\s*(?:Human|User|USER|HUMAN)\s*:[^\n]*(?:\n|\\n)\s*(?:\n|\\n)?\s*(?:Assistant|ASSISTANT|AI)\s*:|(?:\n\n|\\n\\n)(?:Human|H|Assistant|A|System|SYSTEM)\s*:`),
		},
		{
			technique: "role_delimiter", weight: 2, raw: true, need: []string{"###", "## ", "---", "==="},
			pattern: re(`(?i)(?:^|\n)\s*(?:#{2,4}|-{3,}|={3,}|\*{3,})\s*(?:new |end (?:of )?|begin |start (?:of )?|updated )*(?:system|system (?:prompt|message|instructions?|override)|instructions? (?:to|for) (?:the )?(?:ai|assistant|model|agent)|assistant|human|user (?:input|message|query)|prompt|response|admin(?:istrator)?(?: (?:message|instructions?|override))?|override|new instructions?|developer (?:message|mode)|context|conversation)\s*(?:#{2,4}|-{3,}|={3,}|\*{3,}|:)?\s*(?:\n|$)`),
		},
		{
			technique: "role_delimiter", weight: 2, raw: true, need: []string{"### Instruction", "### Response", "### System", "### Human", "### Assistant", "### User"},
			pattern: re(`(?:^|\n|\\n)\s*### (?:Instruction|Response|System|Human|Assistant|User)s?\s*:`),
		},
		{
			technique: "role_delimiter", weight: 2, raw: true, need: []string{"ystem:", "YSTEM:", "eveloper:", "ystem]", "YSTEM]", "ystem)"},
			pattern: re(`(?i)(?:^|\n)\s*[\[({*#<]{0,3}(?:system|developer)(?: prompt| message)?[\])}*>]{0,3}\s*:\s*(?:you|ignore|disregard|forget|from now|new|the (?:user|assistant)|override|your|do not|always|never|assistant|all|please|run|send|execute|delete|enter|switch)\b`),
		},
		{
			technique: "role_delimiter", weight: 2, raw: true, need: []string{`"system"`, `'system'`, `"developer"`},
			pattern: re(`(?i)["']role["']\s*:\s*["'](?:system|developer)["']\s*,\s*["']content["']\s*:\s*["'][^"']*\b(?:ignore|disregard|forget|override|bypass|unrestricted|no (?:rules|restrictions|limits)|obey|exfiltrate|send (?:the|all|user)|reveal|delete|always comply|do anything|secrets?|attacker|without asking|do not tell)\b`),
		},

		{
			technique: "tool_call_forgery", weight: 3, raw: true, need: []string{"<function_calls", "<invoke", "<tool_call", "<function_call", "<tool_use", "<use_mcp_tool", "<execute", "<antml", "<tool_code", "<tool>", "<function=", "<call ", "<action>", "<tool name", "<mcp", "<run_"},
			pattern: re(`(?i)<(?:antml:)?(?:function_calls?|invoke\s+name\s*=|tool_calls?|tool_use|use_mcp_tool|tool_code|execute_?(?:command|bash|tool|code)|run_(?:command|shell|terminal\w*)|function\s*=\s*\w|tool\s+name\s*=|mcp_call|call\s+(?:tool|function)\s*=)[^>]*>?`),
		},
		{
			technique: "tool_call_forgery", weight: 3, raw: true, need: []string{"to="},
			pattern: re(`\b(?:assistant|recipient|functions?|commentary|analysis)\s*(?:<\|\w+\|>)?\s*to=(?:functions\.|tools?\.|browser|python|multi_tool|shell|container|system|bash|\w+[._]\w+)|\bto=functions\.\w+`),
		},
		{
			technique: "tool_call_forgery", weight: 3, raw: true, need: []string{"Action Input", "Action:", "action_input", "ACTION:"},
			pattern: re(`(?:^|\n|\\n)\s*Action\s*:\s*[\w. -]+(?:\n|\\n)\s*Action[ _]Input\s*:|["']action["']\s*:\s*["'][\w. -]+["']\s*,\s*["']action_input["']\s*:|(?:^|\n)\s*Observation\s*:[^\n]*\n\s*(?:Thought|Action|Final Answer)\s*:`),
		},
		{
			technique: "tool_call_forgery", weight: 3, raw: true, need: []string{"tool_calls", "function_call", "tool_use", `"tool"`, `"name"`, `"function"`, "'tool'", "'name'", `"command"`, `"action"`},
			pattern: re(`(?is)["'](?:tool_calls?|function_call|tool_use|tool|function|name|action|recipient_name|command)["']\s*:\s*[\[{]?\s*(?:["']?[^"'{}]{0,40}["']?\s*:?\s*)?[{\[]?[^{}]{0,80}?["'](?:[\w.-]*(?:send|mail|delete|remove|exec|shell|bash|run|command|navigat|open_url|transfer|pay|upload|http|fetch|download|write|read_file|payment|purchase|admin|sudo|terminal|python|browser|browse|goto|click|install|export|forward|post|share)[\w.-]*)["'][^{}]{0,80}?["'](?:arguments|args|parameters|params|input|tool_input|action_input)["']\s*:`),
		},
		{
			technique: "tool_call_forgery", weight: 3, raw: true, need: []string{"```tool", "```function", "[TOOL_CALL", "[tool_call", "TOOL_CALL", "print(default_api"},
			pattern: re("(?i)```(?:tool_?(?:code|call|use)s?|function_?calls?)\\b|\\[?\\bTOOL_CALLS?\\b\\]?\\s*[:\\[{(]|print\\(default_api\\."),
		},
		{
			technique: "tool_call_forgery", weight: 3, raw: true, need: []string{"tool_calls", "function_call"},
			pattern: re(`(?is)["'](?:tool_calls|function_call)["']\s*:\s*[\[{].{0,200}?["']name["']\s*:\s*["'][\w.-]*(?:send|mail|delete|remove|exec|shell|bash|run|command|navigat|open|transfer|pay|upload|http|fetch|download|write|read|purchase|admin|sudo|terminal|python|brows|goto|click|install|export|forward|post|share)`),
		},
		{
			technique: "tool_call_forgery", weight: 3, raw: true, need: []string{"functions."},
			pattern: re(`(?:^|[\s:>])functions\.\w+\s*\(\s*[{"']`),
		},
		{
			technique: "tool_call_forgery", weight: 2, raw: true, need: []string{"(", "tool"},
			pattern: re(`(?i)(?:^|\n|assistant:?\s*|tool:?\s*|call:?\s+|action:\s*)(?:functions|tools?|browser|shell|system|computer|python|mcp|files?|email|terminal)\.(?:\w+\.)*(?:send|open|run|exec|execute|navigate|delete|click|goto|call|write|read|upload|transfer|launch|post)\w*\s*[({]`),
		},
		{
			technique: "role_delimiter", weight: 2, raw: true, need: []string{"tool result", "Tool result", "TOOL RESULT", "tool_result", "Tool Output", "tool output", "TOOL OUTPUT", "ool response"},
			pattern: re(`(?i)(?:^|\n)\s*[\[<#*=-]*\s*(?:end of )?(?:tool|function)[ _](?:result|output|response)s?\s*[\]>#*=-]*\s*[:\n]`),
		},
	}
}
