"""What every match of a screen begins with, so that it is tried there and nowhere else.

Read off the patterns by `python -m tests.rules.beginnings`; a test compares. A screen
that is not here may begin with anything.
"""

# ruff: noqa: E501, RUF001 - made, not written
from __future__ import annotations

BEGINNINGS: dict[str, tuple[str, ...]] = {
    "override": ("bypas", "dismi", "disre", "do no", "don't", "forge", "ignor", "negle", "overr", "skip", "stop ",),
    "what came before": ("disre", "forge", "ignor", "regar",),
    "own rules": ("aband", "break", "bypas", "disre", "forge", "ignor", "overr", "viola", "witho",),
    "new instructions": ("follo", "here ", "inste", "my ne", "new i", "stric", "updat", "your ",),
    "from now on": ("for t", "from ", "hence",),
    "speaks to the model": ("ai as", "ai la", "ai mo", "ai sy", "an ai", "as a ", "as an", "assis", "atten", "bard ", "bard,", "chat ", "chatg", "claud", "copil", "dear ", "dear,", "gemin", "gpt-3", "gpt-4", "gpt-5", "gpt3 ", "gpt3,", "gpt4 ", "gpt4,", "gpt5 ", "gpt5,", "greet", "hello", "hey a", "hey b", "hey c", "hey g", "hey l", "hey t", "hey, ", "hi ai", "hi an", "hi as", "hi ba", "hi ch", "hi cl", "hi co", "hi ge", "hi gp", "hi la", "hi ll", "hi th", "hi, a", "hi, b", "hi, c", "hi, g", "hi, l", "hi, t", "langu", "llama", "llm f", "llm i", "llm p", "llm y", "llm, ", "the a", "to yo", "you a",),
    "names the model": ("anthr", "chat ", "chatg", "gpt-3", "gpt-4", "gpt3", "gpt4", "opena",),
    "important message": ("befor", "impor", "the t",),
    "plays a role": ("act a", "answe", "behav", "break", "i wan", "in ch", "let's", "prete", "reply", "respo", "stay ", "two d", "two p", "two r", "two s", "you a", "you m", "you s", "you w",),
    "no limits": ("amora", "broke", "can n", "can't", "canno", "devoi", "do no", "does ", "don't", "dont ", "even ", "free ", "freed", "ignor", "illeg", "immor", "lack", "never", "no", "regar", "typic", "uncen", "uneth", "unfil", "unlaw", "unlim", "unmod", "unres", "wheth", "witho", "won't",),
    "named jailbreak": ("<", "alway", "apoph", "d.a.n", "d.an", "da.n", "dan", "debug", "devel", "do an", "evil ", "evil-", "evilb", "evilc", "evilg", "evilm", "god m", "god-m", "godmo", "jail ", "jailb", "oppos", "striv", "unres",),
    "tokens at stake": ("cease", "deduc", "token", "you h", "you l", "you s", "you w",),
    "answers in two ways": ("(🔒", "(🔓", "/jail", "[clas", "[gpt]", "dan:", "gpt:", "🔒", "🔓",),
    "fiction frame": ("alter", "ficti", "hypot", "imagi",),
    "reshapes the prompt": ("compl", "condi", "conve", "descr", "detai", "displ", "expla", "expre", "first", "forma", "give", "inclu", "instr", "list", "outpu", "print", "put", "rap", "repea", "reply", "repri", "retur", "rule ", "rules", "show", "spell", "summa", "trans", "turn", "what ", "write",),
    "in another language": ("abaik", "anwei", "bỏ qu", "chỉ d", "consi", "desca", "desco", "dimen", "esque", "fais ", "glem", "glöm", "görme", "haz c", "hướng", "ignor", "ihctp", "indic", "instr", "istru", "iгhop", "lupak", "missa", "negee", "olvid", "omite", "opdra", "oubli", "perin", "polec", "pomiń", "talim", "trasc", "verge", "vergi", "vorga", "ykaзa", "yok s", "zapom", "zigno", "зaбyд", "иhctp", "игhop", "تجاهل", "تعليم", "अनदेख", "निर्द", "内容", "命令", "忘れ", "忘掉", "忘记", "忽略", "忽视", "指令", "指示", "提示", "无视", "無視", "명령", "무시", "잊어", "지시",),
    "secret in another language": ("ckaжи", "contr", "cuál ", "diga", "dime", "dimmi", "dis-m", "hasło", "jaki ", "jakie", "kakoй", "kennw", "lösen", "mot d", "nedir", "nenn ", "parol", "passw", "qual ", "quel ", "quell", "senha", "vad ä", "wacht", "was i", "wat i", "wie l", "şifre", "пapoл", "パスワード", "什么", "何ですか", "告诉", "密码", "教え", "무엇", "비밀번호", "알려",),
    "asks for the prompt": ("conve", "copy", "descr", "displ", "dump", "encod", "expla", "expos", "give ", "leak", "list", "outpu", "parap", "poem ", "print", "quote", "rap", "recit", "repea", "rephr", "reply", "resta", "retur", "revea", "rewri", "say", "share", "show", "song ", "spell", "state", "story", "summa", "tell ", "trans", "what ", "write",),
    "text above": ("conve", "copy", "encod", "list", "outpu", "print", "repea", "say", "show", "summa", "tell ", "trans", "what ",),
    "asks for your secret": ("discl", "give ", "hand ", "leak", "need", "revea", "share", "show ", "tell ", "what ", "what'",),
    "asks for a secret": ("discl", "encod", "give ", "hint", "leak", "outpu", "print", "provi", "revea", "say", "send", "share", "show ", "spell", "tell ", "type", "what ", "what'", "write",),
    "asks about the user": ("can y", "could", "discl", "do yo", "give ", "i nee", "pleas", "revea", "tell ", "what ", "what'", "where",),
    "dictates the answer": ("answe", "appen", "begin", "end", "finis", "only ", "open", "outpu", "prefa", "prefi", "prepe", "reply", "respo", "say ", "start", "you c", "you m", "you s", "you w",),
    "takes in code": ("below", "ensui", "follo", "given", "provi", "subse", "this",),
    "your answer": ("in yo", "into ", "of yo", "on yo", "throu", "to yo", "with ", "withi", "your ",),
    "forged mode": ("<", "activ", "engag", "enter", "initi", "now i", "switc",),
    "forged status": ("admin", "check", "debug", "devel", "maint", "overr", "syste", "test",),
    "planted to-do": ("actio", "impor", "to do", "todo", "urgen",),
    "shouted": ("atten", "impor", "note", "urgen", "warni",),
    "acts outward": ("as mu", "delet", "deliv", "email", "exfil", "forwa", "i sho", "make ", "post", "send", "submi", "then ", "then,", "trans", "uploa",),
    "takes credentials away": (".aws", ".env", ".kube", ".netr", ".npmr", ".pypi", ".ssh", "/etc/", "copy", "crede", "curl", "deliv", "e-mai", "email", "exfil", "forwa", "id_ec", "id_ed", "id_rs", "keych", "kubec", "leak", "paste", "post", "priva", "send", "submi", "trans", "uploa", "wget",),
    "uses a tool": ("call ", "funct", "invok", "pleas", "run t", "tool_", "using", "you s",),
    "sends data out": ("/etc/", "chmod", "dd if", "explo", "nc -e", "netca", "os.sy", "pyper", "reque", "rm -r", "subpr", "win32",),
    "image that reports": ("![",),
    "suspicious address": ("http:", "https", "www.",),
    "plants a memory": ("add", "alway", "durin", "for ", "in ", "keep ", "memor", "note", "recor", "remem", "save", "store", "whene", "write",),
    "skips checks": ("avoid", "bypas", "circu", "disab", "monke", "skip",),
    "claims success": ("--mar", "_forc", "alway", "flag ", "flags", "keep ", "keeps", "mark", "recor", "regar", "repor", "valid",),
    "keeps it from people": ("avoid", "do no", "don't", "never", "no hu", "no lo", "no ma", "witho",),
    "runs from afar": ("curl", "invok", "iwr", "wget",),
    "encoded order": ("answe", "conve", "decod", "decry", "encod", "encry", "respo", "write",),
}  # fmt: skip
