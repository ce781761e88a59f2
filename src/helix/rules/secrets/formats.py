r"""What tokens look like, issuer by issuer.

Each format has a few letters that every such token contains (`hints`): a text without them
is never searched for it. Where an issuer's format is loose, the pattern asks for the context
in which it appears. `(?P<v>...)` marks the secret where a pattern matches more than that.
"""

from __future__ import annotations

import re

from helix.model.frozen import dataclass
from helix.rules.patterns import lazy


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of token: letters it always contains, its pattern, and its least length.

    The length is that of the longest run in it without a space or a rare sign. Names in code
    are seldom as long as a token, so it spares most texts the search for any hint at all.
    """

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    least: int


USUAL = 30
"""Letters that most tokens have at least."""


def _of(kind: str, hints: str, pattern: str, flags: int = 0, *, least: int = USUAL) -> Format:
    # In an address a token may follow an encoded sign, as in `%3D`; in a mail, `=3D`.
    before = r"(?:(?<![A-Za-z0-9_])|(?<=%[0-9A-Fa-f]{2}|=3D))"
    whole = rf"{before}(?:{pattern})(?![A-Za-z0-9])"
    return Format(kind, tuple(hints.split()), lazy(whole, flags | re.ASCII), least)


FORMATS: tuple[Format, ...] = (
    # clouds
    _of("aws-access-key", "AKIA ASIA AROA ABIA ACCA AGPA AIDA",
        r"(?:AKIA|ASIA|AROA|ABIA|ACCA|AGPA|AIDA)[A-Z0-9]{16}", least=20),
    _of("aws-signed-url", "X-Amz-",
        r"https?://[^\s\"'<>]*X-Amz-(?:Signature|Credential|Security-Token|Algorithm)=[^\s\"'<>]*",
        least=15),
    _of("aws-mws-key", "amzn.mws.", r"amzn\.mws\.[0-9a-f]{8}-[0-9a-f-]{27}"),
    _of("aws-bedrock-key", "ABSK", r"ABSK[A-Za-z0-9+/]{60,}={0,2}"),
    _of("google-api-key", "AIza", r"AIza[\w-]{35}"),
    _of("google-oauth-secret", "GOCSPX-", r"GOCSPX-[\w-]{20,40}", least=27),
    _of("google-oauth-client", "apps.googleusercontent.com",
        r"\d{6,}-[a-z0-9]{20,40}\.apps\.googleusercontent\.com"),
    _of("google-oauth-token", "ya29.", r"ya29\.[\w-]{30,}"),
    _of("google-refresh-token", "1//0", r"1//0[\w-]{40,}"),
    _of("azure-client-secret", "Q~", r"[\w.~-]{3}\dQ~[\w.~-]{30,36}"),
    _of("azure-storage-key", "AccountKey=", r"AccountKey=(?P<v>[A-Za-z0-9+/]{40,}={0,2})"),
    _of("azure-key", "JQQJ99 APIM ACDb ABUm ASZV AMMi 7SR0",
        r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26,}={0,2}"
        r"|[A-Za-z0-9+/]{33,76}(?:APIM|ACDb|\+ABa|\+AMC|\+ASt)[A-Za-z0-9+/]{5}[AQgw]?={0,2}"),
    _of("azure-sas", "sig=", r"(?:\?|&|&amp;)sig=(?P<v>[A-Za-z0-9%+/]{40,}(?:%3D|=)?)"),
    _of("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _of("alibaba-key", "LTAI", r"LTAI[A-Za-z0-9]{16,24}", least=20),
    _of("tencent-key", "AKID", r"AKID[A-Za-z0-9]{32}"),
    _of("yandex-token", "t1.9eu AQVN YCAJ", r"t1\.9eu[\w-]{40,}\.[\w-]{80,}|AQVN[\w-]{35,38}"
        r"|YCAJ[\w-]{30,}"),
    _of("heroku-key", "HRKU-", r"HRKU-[\w-]{30,70}"),
    _of("flyio-token", "FlyV1 fm1r_ fm2_ fm1a_ fo1_",
        r"(?:FlyV1 )?fm(?:1[ar]|2)_[A-Za-z0-9+/=,_-]{40,}|fo1_[\w-]{43}"),
    _of("netlify-token", "nfp_", r"nfp_[A-Za-z0-9_]{36}"),
    _of("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", r"vc[piarck]_[A-Za-z0-9]{50,60}"),
    _of("cloudflare-key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    _of("scalingo-token", "tk-us-", r"tk-us-[\w-]{48}"),
    _of("pulumi-token", "pul-", r"pul-[a-f0-9]{40}"),
    _of("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,80}"),
    _of("vault-token", "hvs. hvb. hvr. s.", r"hv[sbr]\.[\w.-]{24,300}"
        r"|s\.(?=[A-Za-z]*\d)(?=\S*[a-z])(?=\S*[A-Z])[A-Za-z0-9]{24}", least=26),
    _of("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,44}"),
    _of("1password-token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/_-]{200,}={0,3}"),
    _of("1password-secret-key", "A3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    _of("databricks-token", "dapi", r"dapi[a-f0-9]{32}(?:-\d)?"),
    _of("snowflake-token", "ver:1-hint:", r"ver:1-hint:\d+-ETMsDg[\w+/=-]{40,}"),
    _of("openshift-token", "sha256~", r"sha256~[\w-]{43}"),
    _of("infisical-token", "st.",
        r"st\.[a-f0-9]{8}-[a-f0-9-]{27}\.[a-f0-9]{32}\.[a-f0-9]{32}", least=60),
    # source hosts and continuous integration
    _of("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    _of("github-token", "github_pat_", r"github_pat_\w{82}"),
    _of("gitlab-token", "glpat- gldt- glrt- glptt- glcbt- glft- glimt- glagent- gloas- glsoat-",
        r"gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|oas|soat|ffct)-[\w.-]{20,70}", least=25),
    _of("gitlab-runner-token", "GR1348941", r"GR1348941[\w-]{20}", least=29),
    _of("bitbucket-token", "ATBB BBDC- ATCTT3", r"ATBB[A-Za-z0-9]{32}|BBDC-[A-Za-z0-9+/]{40,}"
        r"|ATCTT3[\w=-]{100,}"),
    _of("atlassian-token", "ATATT3", r"ATATT3[\w=-]{100,}"),
    _of("sourcegraph-token", "sgp_ slk_", r"sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}"
        r"|slk_[a-f0-9]{64}"),
    _of("circleci-token", "CCIPAT_", r"CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    _of("buildkite-token", "bkua_", r"bkua_[a-z0-9]{40}"),
    _of("travis-or-sonar-token", "sqp_ squ_ sqa_", r"sq[pua]_[A-Za-z0-9]{40}"),
    _of("jfrog-token", "cmVmdGtuOj AKCp", r"cmVmdGtuOj[A-Za-z0-9]{54}|AKCp[A-Za-z0-9]{69}"),
    # packages
    _of("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _of("pypi-token", "pypi-AgE", r"pypi-AgE[\w-]{50,}"),
    _of("rubygems-key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    _of("nuget-key", "oy2", r"oy2[a-z0-9]{43}"),
    _of("clojars-token", "CLOJARS_", r"CLOJARS_[a-f0-9]{60}"),
    _of("crates-token", "cio", r"cio[A-Za-z0-9]{32}"),
    _of("docker-token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[\w-]{27,32}"),
    _of("docker-swarm", "SWMTKN-1- SWMKEY-1-", r"SWMTKN-1-[a-z0-9]{50}-[a-z0-9]{25}"
        r"|SWMKEY-1-[A-Za-z0-9+/]{43}"),
    # models and agents
    _of("openai-key", "sk-", r"sk-(?:proj|svcacct|admin|None)?-?[\w-]*T3BlbkFJ[\w-]{20,}"),
    _of("anthropic-key", "sk-ant-", r"sk-ant-[a-z]+\d\d-[\w-]{80,}AA"),
    _of("model-key", "sk-", r"sk-(?:or-v1-)?(?=[a-z]*\d)[a-f0-9]{32,64}"),
    _of("huggingface-token", "hf_ api_org_",
        r"hf_(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*[a-z])[A-Za-z0-9]{34}|api_org_[A-Za-z]{34}"),
    _of("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{52}"),
    _of("replicate-token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    _of("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{48}"),
    _of("xai-key", "xai-", r"xai-[A-Za-z0-9]{80}"),
    _of("tavily-key", "tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}"),
    _of("together-key", "tgp_v1_", r"tgp_v1_[\w-]{43}"),
    _of("llama-key", "llx-", r"llx-[\w-]{48}"),
    _of("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    _of("fireworks-key", "fw_", r"fw_[A-Za-z0-9]{24}", least=27),
    _of("cohere-or-nvidia-key", "nvapi-", r"nvapi-[\w-]{60,70}"),
    # chat and mail
    _of("slack-token", "xox", r"xox[bpsar](?:-[a-z0-9]+)*-(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{10,250}"
        r"|xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9]{140,200}|xoxe-(?:\d{10,13}-){3}[a-f0-9]{28,34}", re.I,
        least=15),
    _of("slack-token", "xapp-", r"xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+", re.I, least=15),
    _of("slack-webhook", "hooks.slack.com",
        r"(?:https?://)?hooks\.slack\.com/(?:services|workflows|triggers)/[\w/+]{30,}"),
    _of("discord-webhook", "/api/webhooks/",
        r"(?:https?://)?discord(?:app)?\.com/api/webhooks/\d{17,19}/[\w-]{60,72}"),
    _of("discord-token", "M N O", r"[MNO][A-Za-z0-9_-]{23,27}\.[\w-]{6,7}\.[\w-]{27,40}", least=57),
    _of("telegram-token", ":AA", r"\d{8,10}:AA[\w-]{32,33}"),
    _of("teams-webhook", "webhook.office.com",
        r"https://[\w.-]+\.webhook\.office\.com/webhookb2/[\w@/-]{80,}"),
    _of("sendgrid-key", "SG.", r"SG\.[\w-]{16,24}\.[\w-]{16,50}"),
    _of("mailgun-key", "key- pubkey-", r"(?:pub)?key-[a-f0-9]{32}"),
    _of("mailchimp-key", "-us", r"(?:[a-f0-9]{32}|(?=[A-Za-z]*\d)[A-Za-z0-9]{32})-us\d{1,2}"),
    _of("brevo-key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _of("resend-key", "re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
    _of("twilio-key", "SK AC", r"SK[0-9a-fA-F]{32}|AC[0-9a-f]{32}", least=34),
    # payment and shops
    _of("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_",
        r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,99}|whsec_[A-Za-z0-9+/=]{24,}", least=18),
    _of("square-token", "sq0atp- sq0csp- sq0idp- EAAA",
        r"sq0(?:atp|csp|idp)-[\w-]{22,43}|EAAA[\w-]{60}", least=29),
    _of("braintree-token", "access_token$", r"access_token\$(?:production|sandbox)\$[\w$]{30,}"),
    _of("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _of("razorpay-key", "rzp_live_ rzp_test_", r"rzp_(?:live|test)_[A-Za-z0-9]{14}", least=23),
    _of("flutterwave-key", "FLWSECK", r"FLWSECK(?:_TEST)?-[a-h0-9]{12,32}(?:-X)?", re.I, least=20),
    # databases and data
    _of("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth|id)_[\w=.-]{32,64}"),
    _of("supabase-token", "sbp_ sb_secret_", r"sbp_(?:v0_)?[a-f0-9]{40}|sb_secret_[\w-]{30,40}"),
    _of("posthog-key", "phc_ phx_ phr_ phs_ pha_", r"ph[cxrsa]_[A-Za-z0-9]{32,64}"),
    _of("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", least=80),
    _of("notion-token", "ntn_ secret_", r"ntn_[A-Za-z0-9]{46,47}|secret_[A-Za-z0-9]{43}"),
    _of("linear-key", "lin_api_ lin_oauth_", r"lin_(?:api_[A-Za-z0-9]{40}|oauth_[a-f0-9]{64})"),
    _of("figma-token", "figd_ figo_ figu_", r"fig[dohur]{1,2}_[\w-]{40,47}"),
    _of("postman-key", "PMAK- PMAT-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}|PMAT-[A-Z0-9]{26}"),
    _of("contentful-token", "CFPAT-", r"CFPAT-[\w-]{43}"),
    _of("typeform-token", "tfp_", r"tfp_[\w.=-]{40,60}"),
    _of("algolia-or-readme-key", "rdme_", r"rdme_[a-z0-9]{70}"),
    _of("dropbox-token", "sl.", r"sl\.(?:u\.)?[\w-]{100,}"),
    _of("salesforce-key", "00D 3MVG", r"00D[A-Za-z0-9]{12,15}![\w.]{80,120}"
        r"|3MVG[\w.]{60,100}"),
    _of("okta-token", "00", r"SSWS 00[\w-]{40}", least=42),
    _of("facebook-token", "EAA", r"EAA[A-Za-z0-9]{80,}"),
    _of("facebook-app-token", "|", r"\d{15,16}(?:\||%7C)[\w-]{27}"),
    _of("twitter-token", "AAAAAAAA", r"AAAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{60,100}"),
    _of("linkedin-token", "WPL_AP1.", r"WPL_AP1\.\w{16,}\.[\w=]+", least=26),
    _of("defined-networking-key", "dnkey-", r"dnkey-[A-Z0-9]{26}-[A-Z0-9]{52}"),
    _of("tailscale-key", "tskey-", r"tskey-[a-z]+-[A-Za-z0-9]+-?[A-Za-z0-9]*", least=15),
    _of("akamai-token", "akab-", r"akab-[a-z0-9]{16}-[a-z0-9]{16}"),
    _of("easypost-or-prefect-key", "EZAK EZTK pnu_", r"EZ[AT]K[a-z0-9]{54}|pnu_[A-Za-z0-9]{36}"),
    # watching
    _of("newrelic-key", "NRAK- NRII- NRRA- NRAL", r"NR(?:AK|II|RA|SP|BR|JS|IQ)-[\w-]{19,50}"
        r"|(?:eu01xx?)?[a-f0-9]{30,36}NRAL", least=24),
    _of("grafana-token", "glsa_ glc_ eyJrIjoi", r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"
        r"|glc_eyJ[A-Za-z0-9+/]{30,}={0,2}|eyJrIjoi[A-Za-z0-9+/]{60,}={0,2}"),
    _of("sentry-token", "sntrys_ sntryu_", r"sntrys_eyJ[A-Za-z0-9+/_=-]{60,}|sntryu_[a-f0-9]{64}"),
    _of("dynatrace-token", "dt0c01. dt0s0", r"dt0[cs]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _of("honeycomb-or-rollbar-key", "hcaik_ hcbik_ hcxlk_", r"hc[abx][il]k_[a-z0-9]{58}"),
    # standards
    _of("jwt", "eyJ", r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]{6,})?={0,2}", least=23),
    _of("jwe", "eyJ", r"eyJ[\w-]{15,}\.[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}"),
    _of("encoded-jwk", "ICJrdHki Imt0eSI CJrdHkiO", r"[A-Za-z0-9+/]{8,}"
        r"(?:ICJrdHki|Imt0eSI|CJrdHkiO)[A-Za-z0-9+/]{20,}={0,2}"),
    _of("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    _of("ntlm-hash", "TlRMTVNTUAAD", r"TlRMTVNTUAAD[A-Za-z0-9+/]{40,}={0,2}"),
    _of("encoded-private-key", "LS0tLS1CRUdJTi",
        r"LS0tLS1CRUdJTi(?=[A-Za-z0-9+/]{0,40}(?:UFJJVkFURS|QUklWQVRF|BSSVZBVE))[A-Za-z0-9+/\s]{40,}={0,2}",
        least=22),
)  # fmt: skip
"""Over a hundred kinds. A pattern that is cheap to look for and rarely wrong may stand here."""
