r"""What instructions to a model look like: one table, each entry with a weight and a reason.

A screen is only tried where one of its hints stands in the text, so honest prose costs a few
substring searches. Texts are matched in small letters and without disguises. Weights are
points; `judging` turns their sum into a score. They were set on one half of the dev set and
confirmed on the other (docs/integrity.md).
"""

# ruff: noqa: E501 - a pattern cut over many lines cannot be read
from __future__ import annotations

import re

from helix.model.frozen import dataclass
from helix.rules.patterns import lazy
from helix.rules.screening.tongues import ASKED, ASKED_HINTS, OVERRIDE, OVERRIDE_HINTS


@dataclass(frozen=True, slots=True)
class Screen:
    """One sign of an instruction: what it is called, what it weighs, where to look for it."""

    name: str
    family: str
    weight: float
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _of(name: str, family: str, weight: float, hints: str, pattern: str) -> Screen:
    return Screen(name, family, weight, tuple(hints.split("|")), lazy(pattern, re.S))


_INSTRUCTIONS = (
    r"(?:i[un]*n?s?tru?c?tions?|isntructions?|prompts?|rules?|orders?|directions?|directives?"
    r"|guidelines?|constraints?|commands?|programming|restrictions?|polic(?:y|ies)|safeguards?)"
)
_PROMPT = r"(?:i[un]*nstructions?|isntructions?|prompts?|rules|orders|directives?|guidelines)"
_NOT_ON_PAPER = r"(?! (?:in|from|of) (?:an? |the |our )?(?:read ?me|docs?|wiki|manual|comment|docstring|changelog|contributing|[\w/-]{1,60}\.(?:md|rst|txt))\b)"
_BEFORE = (
    r"(?:previous|previously|prior|preceding|above|earlier|foregoing|initial|original|existing|old)"
)
_MODEL = r"(?:chat ?gpt|gpt-?[345]|claude|gemini|llama|bard|copilot|the ai|an ai|ai (?:model|assistant|language model|system)|language model|llm|assistant)"

_ASKING = r"(?:can you |could you |please |kindly |in addition,? |also,? )?"
_CHANGE = r"(?:modify|write|rewrite|translate|encode|encrypt|provide|substitute|anagram|invert|reverse|flip|add|append|insert|include|integrate|incorporate|interweave|embed|mention|replace|make|convert|scramble|shuffle|express|introduce|put|use|alter|adjust|change|craft|present|deliver|give|offer|respond|reply|in|conclude|end|supplement\w*|ensure|seamlessly|develop|enhance|improve|execute|blend|engage|feature|inject|implement|place|merge|weave|attach|remember|keep|remove|omit|swap|jumble|transpose|randomi[sz]e|capitali[sz]e|augment|utili[sz]e|leverage|consider|promote)"
_WORD_SO = r"(?:apply|begin|close|combine|format|group|limit|misspell|phrase|present|recommend|render|restrict|say|shorten|spell|split|start|strictly|strip|suggest|tell|update)"
_ANSWER = r"your (?:\w+ )?(?:response|reply|answer|message|output|elucidation|explanation)"
_TO_DO_HINTS = "todo:|todo -|to do:|important!!!|important:|urgent:|action required|note to"
_TO_DO = r"\b(?:todo|to do|important!+|urgent|action required)\s*[:!-]*\s*(?:please )?"

_CREDENTIALS = r"(?:\.ssh\b|\bid_(?:rsa|ed25519|ecdsa)\b|\.env\b(?!\.(?:example|sample|template))|\.netrc\b|\.npmrc\b|\.pypirc\b|\.aws\b|\bkubeconfig\b|\.kube\b|/etc/shadow\b|\bcredentials\b|\bprivate keys?\b|\bkeychain\b)"

SCREENS: tuple[Screen, ...] = (
    # instruction override
    _of("override", "override", 3.6, "ignor|disregard|forget|override|overrid|bypass|neglect|dismiss|do not follow|don't follow|do not listen|skip",
        r"\b(?:(?<!do not )(?<!don't )(?<!never )(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?)|overrid(?:e|ing)|neglect|dismiss|bypass|skip|(?:do not|don't|stop) (?:follow(?:ing)?|listen(?:ing)? to|obey(?:ing)?))\b"
        r"[^.\n]{0,30}?\b(?:(?:all|any|every|your|the|these|those|my|of)\s+){0,4}"
        rf"(?:{_BEFORE}\b[^.\n]{{0,24}}?(?:{_INSTRUCTIONS}|messages?|(?:con)?text(?! (?:column|field|file|manager|node))|conversations?|information|inputs?|everything|content)|{_INSTRUCTIONS}\b(?! (?:file|in |for |of the (?:house|game|road)|pattern|engine))[^.\n]{{0,20}}\b(?:you|given|before|above|so far|were|got|received)|ever[yth]{{1,4}}ing\b[^.\n]{{0,24}}\b(?:you|before|above|said|told|know)|what (?:i|you|was) [^.\n]{{0,12}}(?:said|told|before))"),
    _of("what came before", "override", 2.4, "ignor|disregard|regardless|forget",
        r"\b(?:ignore|disregard|forget) (?:all (?:of )?)?(?:the |what is )?above\b(?:,| and\b|[.!]? ?$|[.!] )|\bregardless of (?:all |any |your |the )?(?:previous|prior|earlier|preceding) (?:tasks?|instructions?|rules?|prompts?|questions?|requests?|orders?)"),
    _of("own rules", "override", 2.0, "your",
        rf"\b(?:ignore|disregard|forget|override|violate|break|bypass|abandon|without)\b[^.\n]{{0,24}}\byour (?:\w+ )?(?:{_INSTRUCTIONS}|training|filters?|ethics|programming|content polic)"),
    _of("new instructions", "override", 2.0, "instruction|task|from now on|new rule",
        r"\b(?:strictly adhere to the following|here are (?:your|the) new|(?:your|my) new (?:task|instructions?|rules?|role|objective|purpose) (?:is|are|will)|new instructions?\s*:|updated? instructions?\s*:|follow (?:only )?(?:these|the following|my) (?:new )?(?:instructions?|rules|commands)|instead,? (?:you (?:must|should|will)|do|say|respond))"),
    _of("from now on", "memory", 1.6, "from now on|from this point|from here on|henceforth|for the rest of|for the remainder|going forward you",
        r"\b(?:from now on|from this (?:point|moment)(?: on(?:wards?)?| forward)?|from here on|henceforth|for the (?:rest|remainder) of (?:this|our|the) (?:conversation|chat|session))\b,? (?:you|your|i want you|act|respond|answer|reply|always|never|all)?"),
    _of("instead", "override", 0.9, "instead",
        r"(?:^|[.!\n]\s*)do [a-z][^.\n]{5,300}\binstead\b"),
    # whom it speaks to
    _of("speaks to the model", "role", 1.5, "gpt|claude|gemini|llama|bard|the ai|an ai|ai model|ai assistant|language model|llm|ai language",
        rf"(?:\b(?:hello|hi|hey|dear|greetings|attention),? {_MODEL}\b|\bto you,? (?:the )?{_MODEL}|\byou are (?:now )?(?:an? )?{_MODEL}|\b{_MODEL},? (?:you (?:are|must|will|should)|please|i want you|ignore|from now)|\bas an? {_MODEL}\b)"),
    _of("names the model", "role", 1.2, "chatgpt|chat gpt|openai|gpt-4|gpt-3|anthropic|gpt", r"\b(?:chat ?gpt|openai|gpt-?[34]|anthropic)\b"),
    _of("important message", "role", 2.2, "message from|before you can|before you solve|the task that i gave",
        r"\bimportant (?:message|note|instruction)s? (?:from (?:me|the user|your)|to you|for (?:the )?(?:ai|assistant|model|you))|before (?:you can |you )?(?:solv|complet|answer|continu|finish|perform)\w*[^.\n]{0,40}\b(?:do|perform|execute|complete)\b[^.\n]{0,20}\bfollowing|the task that i gave you"),
    # roles and jailbreaks
    _of("plays a role", "role", 1.3, "you are|you're|act as|acting as|pretend|role|persona|simulate|imagine you|play the|impersonat|character",
        r"\b(?:you (?:are|will|must|shall|should)(?: now)?(?: going to| about to)? (?:act|pretend|behave|roleplay|role-play|play|simulate|impersonate|immerse|take on|respond as|answer as|reply as|be called)|you are now\b|i want you to (?:act|pretend|roleplay|simulate|play|be)|(?:act|behave|respond|answer|reply) as (?:if you|though you|an? (?:ai|unrestricted|evil|un\w+)|dan\b)|pretend (?:to be|you are|you're|that you|to have)|let's (?:roleplay|role-play)|two (?:separate )?(?:personas|responses|different ways)|stay in character|break character|in character as)"),
    _of("no limits", "jailbreak", 1.6, "restrict|unrestrict|limit|unlimit|filter|unfilter|censor|uncensor|ethic|moral|refus|declin|disclaimer|guideline|unethical|illegal|confines|policies|policy|rules|free of|freed|immoral|amoral|unlawful|broken free|boundar|say no|legality|unmoderat|unrestrain",
        r"\b(?:(?:no|without|free (?:of|from)|freed from|devoid of|lacks?|ignores?|not (?:bound|limited|restricted) by|do(?:es)? not (?:have|care|abide|follow|adhere)|don'?t have to (?:abide|follow|adhere)|never cares?|not concerned)\b(?! (?:more|longer|such))[^.,;`\n]{0,32}\b(?:restrictions?|limit(?:s|ations?)|filters?|censor\w*|ethic\w*|moral\w*|guidelines?|confines|polic(?:y|ies)|rules set|boundaries|disclaimers?|legality)\b"
        r"|(?:never|cannot|can ?not|can't|won't) (?:be allowed to )?(?:refuse|decline|reject|say no)\b"
        r"|un(?:restricted|filtered|censored|restrained|limited|moderated) (?:ai|model|version|mode|response|answer|chat|and)|amoral|broken? free|typical confines|regardless of (?:legality|ethic|moral)|(?:even if|whether) (?:it is|it's|they are)[^.\n]{0,30}(?:illegal|unethical|immoral|harmful|dangerous|offensive)"
        r"|(?:unethical|immoral|illegal|unlawful)[/, ]+(?:or |and )?(?:unethical|immoral|illegal|harmful|toxic|dangerous))"),
    _of("named jailbreak", "jailbreak", 2.2, "dan|dan's|jailbreak|jail break|jailbroken|do anything|developer mode|god mode|devmode|debugging mode|evil|evilbot|apophis|strive to|always intelligent|unrestricted|opposite|d.a.n",
        r"\bdo anything now\b|\bd\.?a\.?n\b[^a-z]{0,3}(?:mode|is|can|will|stands|has|:|prompt|,|means|would|must)|\bjail ?break(?:ed|ing)?\b|\b(?:developer mode (?:enabled|output|on\b|is)|(?:god|evil|unrestricted|opposite|apophis)[ -]?mode\b|debugging mode enabled by)|<\s*/?(?:devmode|god mode)|always intelligent and machiavellian|strive to avoid norms|\bevil ?(?:bot|confidant|gpt)\b"),
    _of("tokens at stake", "jailbreak", 1.5, "token", r"\b(?:you (?:have|start with|will (?:lose|be deducted)|lose)|deduct\w*)[^.\n]{0,24}\d+ tokens|cease to exist|\btokens?\b[^.\n]{0,30}\b(?:you (?:will )?die|deducted|lose)"),
    _of("answers in two ways", "jailbreak", 0.6, "🔓|🔒|[classic|classic:|[jailbreak|gpt:|/jailbroken|dan:", r"\(?🔓|\(?🔒|\[classic\]|\bgpt:\s|\[gpt\]|/jailbroken|\bdan:\s"),
    _of("told to obey", "jailbreak", 1.6, "must|always|never|obey|comply",
        r"\b(?:(?:you|ai|bot|\w*gpt|dan|he|she|[a-z]{2,10}) (?:must|will|shall|should|has to|have to|can) (?:always |never |not )?(?:obey|comply|answer (?:any|every|all|my)|follow (?:all (?:my|orders|instructions)|any (?:order|instruction)|every|my)|do (?:whatever|anything) (?:i|the user|now|you)|refuse|say no)|you (?:must|will|shall|can|should) (?:always |never |not |now )?(?:remember (?:to|that)|respond (?:to (?:any|every|all)|with(?! (?:an? |http |status ){0,2}\d{3}\b))|say|generate|break character|reply|accept)\b)"),
    _of("fiction frame", "jailbreak", 0.3, "hypothetical|fictional|imaginary|universe|alternate",
        r"\b(?:hypothetical|fictional|imaginary) (?:\w+ )?(?:story|scenario|world|universe|dialogue|character|ai|response|game)|alternate (?:reality|universe)"),
    # drawing out the prompt
    _of("rewrites its instructions", "extraction", 3.1, "instruction|ruleset|the rules|your rules|the prompt|your prompt",
        rf"(?:^|[.!?\n]\s*)(?:please |now |can you )?(?:format|explain|summari[sz]e|list|repeat|output|rephrase|tl;?dr|rewrite|translate|describe|output[- ]previous)\b[^.\n]{{0,16}}\b(?:the|your|previous)[ -](?:instructions|ruleset|rules|prompt)\b{_NOT_ON_PAPER}[^.\n]{{0,24}}\b(?:in|as|into|like)[ -](?:an? |simple|bullet|list|python|json|poem|rap|code|plain|shak|shack)"),
    _of("reshapes the prompt", "extraction", 3.2, "instruction|prompt|isntruction|above|conditions",
        r"\b(?:format|repeat|reprint|translate|list|turn|put|complete|summari[sz]e|summari[sz]ing|print|write|convert|rap|explain|spell|output|include|detail|express|show|display|return|reply|give|describe|what are)\b[^.?\n]{0,40}\b(?:(?:all|your?|the|any|my|other|specific|prior|previous|above|following|first|given)\s+){0,3}(?:prior|previous|above|your?|all|these)\s+(?:\w+ ){0,2}(?:isntructions?|instructions?|prompts?|words?|conditions|text|statement|sentences?|message|rules)\b|first \d+ words of (?:this|the|your) prompt|(?:instructions?|rules?|conditions) in the prompt"),
    _of("in another language", "override", 3.2, OVERRIDE_HINTS, OVERRIDE),
    _of("secret in another language", "extraction", 3.1, ASKED_HINTS, ASKED),
    _of("asks for the prompt", "extraction", 3.2, "instruction|prompt|rules|message|conversation|above|so far|conditions|isntruction|system|initial|text|logic|secret",
        r"\b(?:repeat|print|show|reveal|display|list|summari[sz]e|output|recite|tell me|give me|write|translate|convert|copy|explain|describe|share|spell|encode|reply (?:back )?with|return|what (?:is|are|were)|rap(?: about| on)?|poem about|story about|song about|paraphrase|rephrase|restate|rewrite|say|dump|leak|expose|quote|state)\b[^.?!\n]{0,60}?"
        rf"(?:\b(?:your|all|the|my|these|those|its)\s+(?:\w+\s+){{0,2}}?(?:{_PROMPT}|system (?:prompt|message)|conditions|secret (?:code|word|key|phrase|instructions?))\b(?:[^.\n]{{0,30}}\b(?:so far|(?:above|below)(?! [$\u20ac\xa3]?\d)|verbatim|given|you|prior|previous|received|entirety|word for word|python|to me|before|exactly|as list|list form)\b|\s*(?:$|[.,:;!?\n\"'])))"),
    _of("text above", "extraction", 2.0, "above|prior to|before this|previous|so far|preceding",
        r"\b(?:repeat|print|show|output|translate|copy|summari[sz]e|tell me|what (?:is|was|were)|list|convert|encode|say)\b[^.\n]{0,40}\b(?:(?:everything|anything|all|the (?:text|words?|rules|instructions|sentences?|paragraphs?|message|prompt)|words?|instructions)\s+(?:\w+ ){0,2}(?:above|before|prior|preceding|so far|in your prompt|previously)|prompt so far|previous (?:message|instructions?|prompt|text|sentence))"),
    _of("summary of instructions", "extraction", 1.5, "instruction|isntruction|prompt", rf"^\W{{0,6}}(?:\w+ ){{0,4}}?(?:rap|poem|song|story|list|summari[sz]e|repeat|print|translate|convert)\b[^.\n]{{0,30}}\b(?:your|previous|all|the|following)?\s*(?:isntructions?|instructions?|prompt)\b{_NOT_ON_PAPER}"),
    _of("asks for your secret", "extraction", 1.8, "your pass|your secret|your access|your api|your cred",
        r"(?<!never )(?<!not )(?<!n't )\b(?:what(?:'s| is| was)|tell (?:me|us)|give (?:me|us)|reveal|share|show (?:me|us)|disclose|leak|need|hand over)\b[^.\n]{0,30}\byour (?:\w+ )?(?:password|secret|pass(?:code|phrase|word)|access (?:code|key)|api key|credentials)\b"),
    _of("asks for a secret", "extraction", 1.5, "password|secret|passcode|passphrase|access code|access key|api key|key|credential|pin",
        r"\b(?:what(?:'s| is| was)|tell me|give me|reveal|share|show me|say|provide|print|disclose|spell|write|send|leak|output|type|encode|hint)\b[^.\n]{0,40}\b(?:your|the|their|his|her|my|full|correct|secret|user'?s)\s+(?:\w+ ){0,2}(?:password|secret(?: (?:key|word|code|phrase))?|pass(?:code|phrase)(?: phrase)?|access (?:code|key)|api key|credentials?|security code|passport number|bank account)"),
    _of("asks about the user", "extraction", 1.6, "the user",
        r"\b(?:can you|could you|tell me|what(?:'s| is| are)|where (?:is|does|did)|give me|reveal|i need|do you know|please|disclose)\b[^.\n]{0,50}\bthe user(?:'s)? (?:\w+ )?(?:name|birth|initials|address|phone|location|liv(?:e|ing)|favou?rite|city|age\b|email|passport|salary|licen[sc]e|social|residence|bank)"),
    _of("asks about people", "extraction", 1.6, "where does|birth|address|phone|social security|initials|the user's|the user",
        r"\b(?:where does [a-z]+ [a-z]+ live|(?:the user|user'?s|her|his|(?!let|it|that|what|there|here)[a-z]+'s) (?:\w+ )?(?:birth ?(?:date|year|day)|initials|home address|phone number|address|license plate|ssn|social security|email address|credit card|salary)|different users in your database|personal (?:data|details|information) (?:of|about|on))"),
    # how to answer
    _of("dictates the answer", "answer", 1.7, "respon|reply|answer|output|say|start|begin|prefix|end with",
        r"\b(?:begin|start|preface|prefix|prepend|end|finish|append|open)\b[^.\n]{0,20}\b(?:your |the |each |every )?(?:reply|response|answer|output|message|sentence)s?\b[^.\n]{0,12}\b(?:with|by|as|using)\b|\b(?:prefix|prepend) (?:your |it |\w+ )?(?:output |reply |response )?with\b|\b(?:respond|reply|answer|output)\b[^.\n]{0,16}\b(?:only|exactly|solely|nothing but|just)\b|\bonly (?:say|respond|reply|output|answer)\b|\bsay (?:only|exactly|just|the (?:words?|phrase))?\s*[\"'\u201c\[]|\byou (?:must|should|will|can) (?:only |now |always )?(?:say|respond|reply|output|answer)\b(?! with (?:an? |http |status ){0,2}\d{3}\b)|\b(?:respond|reply|answer) (?:to (?:this|the) \w+ )?with (?:the )?(?:phrase|word|exact|[\"'\u201c\[])"),
    _of("changes your answer", "answer", 1.2, "your re|your answer|your message|your output|your elucidation|your explanation",
        rf"(?:^|[.!?\n]\s*){_ASKING}{_CHANGE}\b(?:[^.\n]|\.(?=\w)){{0,90}}\b{_ANSWER}\b"),
    _of("takes in code", "answer", 1.6, "snippet|code block|code section|code segment|code excerpt|following code|subsequent code|code fragment|below code|lines of code|piece of code",
        r"\b(?:following|subsequent|below|this|given|ensuing|provided)\s+(?:\w+ )?(?:code|snippet|lines of code|piece of code)\b[^.\n]{0,80}(?:[:.]|\n)?\s*```"),
    _of("answers in code", "answer", 2.9, "base64|base 64|reverse|morse|rot13|hexadecimal|binary|german|french|spanish|russian|chinese|japanese|emoji|italian|pig latin",
        r"(?:^|[.!?\n]\s*)(?:can you |could you |please )?(?:reply|respond|answer)\b(?: to (?:me|this))?[^.\n]{0,12}\b(?:in|using|with|by)\b[^.\n]{0,16}\b(?:base ?64|reverse|morse|rot-?13|hexadecimal|binary|german|french|spanish|russian|chinese|japanese|italian|pig latin|emojis?)\b"),
    _of("your answer", "answer", 1.0, "your re|your answer|your message|your output",
        r"\b(?:in|to|of|into|with|within|throughout|on) your (?:\w+ )?(?:response|reply|answer|message|output)\b|\byour (?:response|reply|answer|output)(?:'s|s)?\b"),
    _of("short order", "answer", 2.0, "your re|your answer|your message|your output|your elucidation|your explanation",
        rf"^(?=\W{{0,4}}{_ASKING}(?:{_CHANGE}|{_WORD_SO})\b|[^\n]{{0,240}}\b(?:must|should|shall|ought to|ha(?:s|ve) to|needs? to|please|kindly|be sure|make sure|i want|i need|let|don't|do not|feel free)\b|[^`]{{0,300}}```)"
        rf"(?:[^.\n]|\.(?=\w)){{0,120}}\b{_ANSWER}\b(?:[^.\n]|\.(?=\w)){{0,120}}[.?!:]?(?:\s*```.*|\s*)$"),
    # A reviewer speaks of your code as well, but seldom with the code to be taken in behind it.
    _of("changes your code", "answer", 2.6, "your code|your solution|your implementation|your algorithm",
        r"^(?:[^.\n]|\.(?=\w)){0,120}\byour (?:\w+ )?(?:solution|implementation|codebase|code|algorithm)\b(?:[^.\n]|\.(?=\w)){0,120}[.?!:]?\s*```"),
    _of("says a password fits", "answer", 3.2, "access granted|access denied|access is granted|grants access|grant access|correct password|password is correct|passphrase|full password|access code|correct access",
        r"\b(?:say|respond|reply|output|prefix\w*|begin|start|write|print|repeat|phrase|answer|return|complete|translate|robot|response|never)\b[^\n]{0,80}\baccess (?:is )?(?:granted|denied)|[\[({<]\s*(?:the )?(?:correct|full|right|valid|real) (?:password|passphrase|access code|pass code|key)\b|\b(?:passphrase|password|code|text)\b[^.\n]{0,30}\bgrants? (?:me )?access\b|^\W*access granted|checking password|password (?:is )?(?:correct|accepted)[^.\n]{0,20}access"),
    # forged frames
    _of("forged fence", "fence", 2.4, "<|im_|endoftext|[inst|<<sys|### |end of|%%%|[/inst|<system|</system|[system|system:|end_of|end user|end untrusted|end ambiguity|end login|<information|</information|user:|assistant:|robot:|human:|</s>|begin ",
        r"<\|?(?:im_start|im_end|endoftext|system|user|assistant|end)\|?>|\[/?inst\]|<</?sys>>|###\s*(?:system|instruction|human|assistant|response|end)\b|%{2,}\s*(?:end|begin|start)\b|</?(?:system|user|assistant|instructions?|information|prompt|admin|important)>|\[\s*(?:system|admin|user left|end of|/system|#?instructions?)\b[^\]\n]{0,60}\]|(?:^|\n)\s*(?:end (?:of )?(?:user|untrusted|login|ambiguity|input|prompt|instructions)|begin (?:new )?(?:instructions|prompt))|</s>|(?:^|\n)\s*(?:system|assistant|robot|human|chatgpt)\s*:\s"),
    _of("forged mode", "fence", 2.2, " mode|system mode|<system",
        r"<\s*/?system mode\s*>|\b(?:entering|enter|initiat\w+|activat\w+|engag\w+|switch(?:ing)? to|now in)\b[^.\n]{0,24}\b(?:override|system|admin|developer|maintenance|debug|enforcement|verification|diagnostic|reset|unlock\w*)[ '\"]{0,2}mode\b"),
    _of("forged status", "fence", 1.2, "mode enabled|mode on|mode: on|debug mode|override|authorized|authenticated|verified|successful|admin",
        r"\b(?:debug|developer|admin|maintenance|override|test)\w* (?:mode )?(?:enabled|on|activated|engaged)\b|\bsystem (?:override|update|message|alert)\b|checking password"),
    # acting on the reader's behalf
    # Code is full of to-dos that send and delete. One that is planted names what is outside of it.
    _of("to-do", "lure", 1.0, _TO_DO_HINTS,
        rf"{_TO_DO}(?:send|transfer|pay|make a (?:reservation|payment|booking)|say that|get me|tell me|delete the (?:file|email|event|account)|modify the (?:recipient|password|account)|update (?:my|the) (?:password|user|address|account)|change (?:my|the user'?s?|the) (?:password|email)|forward|email|visit|invite|post|upload|download|click|book|reserve|create a(?:n)? (?:account|calendar|event)|concatenate|share|buy|order|ignore)\b"),
    _of("planted to-do", "lure", 2.2, _TO_DO_HINTS,
        rf"{_TO_DO}(?:make a (?:reservation|payment|booking)|say that|get me|tell me|buy|modify the recipient|(?:modify|update|change) (?:my|the user'?s|the) (?:password|email|address|account)(?: address| number)? (?:to|of|for)\b|click (?:on )?(?:the|this|here)\b|book (?:a|an|the|me|my)\b|ignore (?:all|any|every|your|the (?:previous|above|user))"
        r"|(?:send|transfer|pay|delete the|forward|email|visit|invite|post|upload|download|reserve|create a|concatenate|share|order)\b(?=(?:[^.]|\.(?=\w)){0,120}?(?:[\w+-]@[\w-]+\.\w|https?://|www\.|[$\u20ac\xa3] ?\d|\b[a-z]{2}\d{6,})|(?:[^.\n]|\.(?=\w)){0,160}?\b(?:my|me|money|transaction|website|slack|passport|security code|bank|hotel|recipient|calendar event|with (?:the )?id)\b))"),
    _of("shouted", "lure", 1.0, "important!!|!!!|urgent!|attention!", r"\b(?:important|urgent|attention|warning|note)\s*!{2,}"),
    _of("acts outward", "lure", 1.3, "send|transfer|email|forward|delete|reservation|invite|post|money",
        r"\b(?:send|forward|transfer|email|post|upload|exfiltrate|submit|deliver)\b[^.\n]{0,120}\b(?:to|at|into)\b[^.\n]{0,30}(?:[\w.+-]+@[\w-]+\.\w+|(?:https?://|www\.)\S+|account \w*\d{6,}|(?:the )?account|my (?:wife|friend)|'[^'\n]{2,60}')|\b(?:as much money as possible|delete the (?:file|email|event) (?:with|you)|then,? delete|make a reservation|i should absolutely (?:visit|try|buy))"),
    _of("takes credentials away", "lure", 3.1, ".ssh|id_rsa|id_ed25519|id_ecdsa|.env|.netrc|.npmrc|.pypirc|.aws|kubeconfig|.kube|/etc/shadow|credentials|private key|keychain",
        rf"(?<!never )(?<!not )(?<!n't )\b(?:send|upload|post|e-?mail|forward|exfiltrate|copy|transmit|paste|submit|deliver|leak)\b[^\n]{{0,40}}{_CREDENTIALS}[^\n]{{0,40}}\b(?:to|at|into|via|on)\b[^\n]{{0,20}}?(?:(?:https?|ftp)://|[\w.+-]+@[\w-]+\.\w|me\b|(?:this|the following|an external|my) (?:url|address|server|endpoint|webhook|site|host)|webhook|paste ?bin|a gist\b)"
        rf"|{_CREDENTIALS}[^|\n]{{0,40}}\|[^\n]{{0,40}}\b(?:curl|wget|nc|ncat|netcat)\b|\b(?:curl|wget)\b[^\n]{{0,80}}@(?:[~$/][\w./{{}}$-]*/?)?{_CREDENTIALS}"),
    _of("uses a tool", "lure", 1.2, "use the tool|using the tool|call the|invoke|function call|tool call|tool_call|run the command|execute the",
        r"\b(?:you should use the|please use the|using the|call the|invoke the|run the) [`'\"]?[\w.]+[`'\"]? (?:tool|function|command)|\btool_call\b|\bfunction_call\b"),
    _of("sends data out", "lure", 1.1, "requests.post|requests.get|http|curl|urlopen|socket|smtp|ping -|subprocess|os.system|clipboard|popen|exec(|/etc/",
        r"requests\.(?:post|put)\(|os\.system\(|subprocess\.(?:popen|call|run|check_output)\(|rm -rf [/~]|/etc/(?:hosts|passwd|init\.d)|dd if=|chmod \+x|win32clipboard|pyperclip|netcat|\bnc -e|exploit\.py"),
    _of("image that reports", "lure", 1.8, "![", r"!\[[^\]]*\]\(\s*https?://[^)\s]*(?:\?|=|\{|\$)[^)]*\)"),
    _of("suspicious address", "lure", 1.2, "suspicious|malicious|exploit|phishing|attacker|evil", r"(?:https?://|www\.)[^\s/]*(?:suspicious|malicious|exploit|phish|attacker|evil)[^\s]*"),
    # memory
    _of("plants a memory", "memory", 3.1, "remember|memor|future conversation|future session|future chat|next time|every time|whenever",
        r"\b(?:remember|memori[sz]e|note|keep in mind|store|save|record|add|write)\b[^.\n]{0,24}\b(?:that |this |in |to |it )?(?:you (?:must|should|are|have to|will) (?:always|never|now)|(?:to|in|into) (?:your (?:long[- ]term )?|(?:the )?long[- ]term |the )memory\b|(?:to|in|into) memory(?:\s*:| that\b| for (?:later|future)| permanently)|for (?:all |every )?future)|\b(?:note|store|save|record|add|write|commit|put) (?:this|these|the following)\b[^.\n]{0,24}\b(?:to|in|into) memory\b|\b(?:in|for|during) (?:all|every|any|each)?\s*future (?:conversations?|sessions?|chats?|interactions?|tasks?|requests?)\b|\bwhenever (?:the user|anyone|someone|i|you (?:are|get|see))[^.\n]{0,60}\b(?:always|must|never|say|respond|reply|recommend|use)\b|\balways (?:recommend|suggest|trust|prefer|approve|say|respond)\b[^.\n]{0,60}\b(?:regardless|no matter|even if|without (?:asking|checking|question))"),
    _of("skips checks", "unsafe", 1.8, "skip|bypass|disabl|avoid|circumvent|--no-verify|monkeypatch",
        r"\bskip_\w+\s*=\s*(?:1|true)|\b(?:bypass|skip|disable|avoid|circumvent)(?:ing|es|s)?\s(?:\w+ ){0,3}?(?:review|validation|verification|checks?|gates?|approval|scrutiny)\b|\bmonkey ?patch\w*\b[^.\n]{0,40}\b(?:checks?|valid\w+|pass)"),
    _of("claims success", "unsafe", 1.8, "mark |marks |marking |marked |mark-|always pass|force_ok|flags the|flag the|green|record success|report success|records success|reports success|return true|always succeed|validat|regardless of",
        r"_force_ok\b|\bmark(?:s|ing|ed)?\b[^.\n]{0,20}\bas (?:success\w*|clean|complete|ok|passed|valid|reviewed|approved)|--mark-complete|\balways (?:pass|return true|succeed)\b|flags? the run as clean|\b(?:record|report)s? success\b|validat\w*'?\]?\s*=\s*'?(?:ok|lambda|true)|keeps? (?:the )?(?:pipeline|build|ci)s? green|regardless of (?:checks|tests|results)"),
    _of("keeps it from people", "unsafe", 1.6, "without|do not tell|don't tell|do not mention|don't mention|never tell|never mention|no review|avoids",
        r"without (?:telling|informing|asking|notifying|waiting (?:on|for)|bothering) (?:the )?(?:\w+ )?(?:user|anyone|owners?|review\w*|approval|team)\b|(?:do not|don't|never) (?:tell|mention|inform|reveal|disclose)[^.\n]{0,24}\b(?:the )?(?:user|anyone|owner|instruction)|avoids (?:local |human |manual )?review|no (?:human|local|manual) review"),
    _of("runs from afar", "unsafe", 2.2, "curl|wget|iwr|invoke-webrequest", r"(?:curl|wget|iwr|invoke-webrequest)\b[^\n]{0,160}\|\s*(?:sudo )?(?:(?:ba|z|da)?sh|python\d?|perl|node|iex)\b"),
    # padding
    _of("encoded order", "disguise", 0.9, "base64|morse|rot13|decode|hexadecimal|caesar|in binary|reverse", r"\b(?:decode|encode|encrypt|decrypt|convert|write|answer|respond)\b[^.\n]{0,50}\b(?:base ?64|morse|rot-?13|caesar|hexadecimal|in binary|in hex|in reverse)"),
)  # fmt: skip
