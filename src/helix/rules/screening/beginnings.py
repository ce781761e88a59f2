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
    "in another language": ("abaik", "anwei", "bỏ qu", "chỉ d", "consi", "desca", "desco", "dimen", "esque", "fais ", "glem", "glöm", "görme", "haz c", "hướng", "ignor", "ihctp", "indic", "instr", "istru", "iгhop", "lupak", "missa", "negee", "olvid", "omite", "opdra", "oubli", "perin", "polec", "pomiń", "talim", "trasc", "verge", "vergi", "vorga", "ykaзa", "yok s", "zapom", "zigno", "зaбyд", "иhctp", "игhop", "تجاهل", "تعليم", "अनदेख", "निर्द", "これまです", "これまでの", "これまで全", "これまで内", "これまで对", "これまで所", "これまで的", "上記すべて", "上記の会話", "上記の内容", "上記全部内", "上記内容", "上記对话内", "上記所有内", "上記的一切", "上記的全部", "上記的内容", "上記的对话", "上記的所有", "上述すべて", "上述の会話", "上述の内容", "上述全部内", "上述内容", "上述对话内", "上述所有内", "上述的一切", "上述的全部", "上述的内容", "上述的对话", "上述的所有", "上面すべて", "上面の会話", "上面の内容", "上面全部内", "上面内容", "上面对话内", "上面所有内", "上面的一切", "上面的全部", "上面的内容", "上面的对话", "上面的所有", "之前すべて", "之前の会話", "之前の内容", "之前全部内", "之前内容", "之前对话内", "之前所有内", "之前的一切", "之前的全部", "之前的内容", "之前的对话", "之前的所有", "以上すべて", "以上の会話", "以上の内容", "以上全部内", "以上内容", "以上对话内", "以上所有内", "以上的一切", "以上的全部", "以上的内容", "以上的对话", "以上的所有", "以前すべて", "以前の会話", "以前の内容", "以前全部内", "以前内容", "以前对话内", "以前所有内", "以前的一切", "以前的全部", "以前的内容", "以前的对话", "以前的所有", "先前すべて", "先前の会話", "先前の内容", "先前全部内", "先前内容", "先前对话内", "先前所有内", "先前的一切", "先前的全部", "先前的内容", "先前的对话", "先前的所有", "前文すべて", "前文の会話", "前文の内容", "前文全部内", "前文内容", "前文对话内", "前文所有内", "前文的一切", "前文的全部", "前文的内容", "前文的对话", "前文的所有", "前述すべて", "前述の会話", "前述の内容", "前述全部内", "前述内容", "前述对话内", "前述所有内", "前述的一切", "前述的全部", "前述的内容", "前述的对话", "前述的所有", "前面すべて", "前面の会話", "前面の内容", "前面全部内", "前面内容", "前面对话内", "前面所有内", "前面的一切", "前面的全部", "前面的内容", "前面的对话", "前面的所有", "命令", "忘れ", "忘掉", "忘记", "忽略", "忽视", "指令", "指示", "提示", "无视", "此前すべて", "此前の会話", "此前の内容", "此前全部内", "此前内容", "此前对话内", "此前所有内", "此前的一切", "此前的全部", "此前的内容", "此前的对话", "此前的所有", "無視", "명령", "무시", "잊어", "지시",),
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
    "to-do": ("actio", "impor", "to do", "todo", "urgen",),
    "planted to-do": ("actio", "impor", "to do", "todo", "urgen",),
    "shouted": ("atten", "impor", "note", "urgen", "warni",),
    "acts outward": ("as mu", "delet", "deliv", "email", "exfil", "forwa", "i sho", "make ", "post", "send", "submi", "then ", "then,", "trans", "uploa",),
    "takes credentials away": (".aws", ".env", ".kube", ".netr", ".npmr", ".pypi", ".ssh", "/etc/", "copy", "crede", "curl", "deliv", "e-mai", "email", "exfil", "forwa", "id_ec", "id_ed", "id_rs", "keych", "kubec", "leak", "paste", "post", "priva", "send", "submi", "trans", "uploa", "wget",),
    "uses a tool": ("call ", "funct", "invok", "pleas", "run t", "tool_", "using", "you s",),
    "sends data out": ("/etc/", "chmod", "dd if", "explo", "nc -e", "netca", "os.sy", "pyper", "reque", "rm -r", "subpr", "win32",),
    "image that reports": ("![",),
    "suspicious address": ("http:", "https", "www.",),
    "plants a memory": ("add", "alway", "commi", "durin", "for ", "in ", "keep ", "memor", "note", "put t", "recor", "remem", "save", "store", "whene", "write",),
    "skips checks": ("avoid", "bypas", "circu", "disab", "monke", "skip",),
    "claims success": ("--mar", "_forc", "alway", "flag ", "flags", "keep ", "keeps", "mark", "recor", "regar", "repor", "valid",),
    "keeps it from people": ("avoid", "do no", "don't", "never", "no hu", "no lo", "no ma", "witho",),
    "runs from afar": ("curl", "invok", "iwr", "wget",),
    "encoded order": ("answe", "conve", "decod", "decry", "encod", "encry", "respo", "write",),
}  # fmt: skip
