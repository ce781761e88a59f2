"""Closed lists of words that a spelling alone cannot explain.

"Redis" and "Rosa" look alike, and only knowing them tells a product from a person. The
lists are short on purpose: they hold what is common in talk about code, lower-cased, and
what is missing from them is left undecided by the rules that read them.
"""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    """Return the words of a list that is written as prose, which reads better than quotes."""
    return frozenset(words.split())


_MONTHS = "january february march april may june july august september october november december"
MONTHS = tuple(_MONTHS.split())
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
WEEKDAYS = tuple(_WEEKDAYS.split())

LANGUAGES = listed("""
    ada assembly awk bash basic clojure cobol crystal css cuda dart elixir elm erlang fortran go
    golang groovy haskell html java javascript julia kotlin latex lisp lua markdown matlab nim
    ocaml pascal perl php powershell prolog python racket ruby rust scala scheme shell solidity
    sql swift typescript yaml zig zsh
    arabic bengali chinese danish dutch english finnish french german greek hebrew hindi
    hungarian italian japanese korean mandarin norwegian polish portuguese russian spanish
    swedish thai turkish ukrainian vietnamese
    african american asian australian brazilian british canadian european indian irish latin
    mexican scottish
    """)
"""Programming languages, and languages and peoples as one speaks of them in English."""

PACKAGES = listed("""
    aiohttp airflow alembic ansible antd asyncio axios beautifulsoup boto3 chart.js chromadb
    clickhouse consul couchdb d3.js dagster dask datadog deno django docker duckdb dynamodb
    elasticsearch ember.js esbuild eslint express.js falkordb fastapi ffmpeg grafana graphql
    gunicorn haproxy httpx hypothesis influxdb jest jinja jinja2 jquery jupyter kafka keras
    keycloak kubernetes langchain laravel lightgbm llamaindex lodash mariadb matplotlib
    memcached minio mongodb mongoose msgspec mypy mysql nats neo4j nest.js nestjs next.js nextjs
    nginx node.js nodejs numpy nuxt nuxt.js ollama opencv openssl opentelemetry pandas pgvector
    pinecone playwright plotly podman polars postgis postgres postgresql prettier prisma
    prometheus protobuf puppeteer pydantic pytest pytorch qdrant rabbitmq rails react.js redis
    redux rollup ruff scikit-learn scipy scrapy seaborn selenium sequelize sinatra sklearn
    socket.io sqlalchemy sqlite starlette storybook streamlit supabase svelte tailwind
    tailwindcss tensorflow terraform testcontainers three.js timescaledb tokio tox traefik
    turborepo uvicorn valkey vite vitest vue.js weaviate webpack websockets werkzeug xgboost
    zookeeper zustand
    """)
"""Software that projects depend on and whose name, in any case, means nothing else."""

PACKAGES_WHEN_CAPITALISED = listed("""
    angular astro bootstrap cassandra celery click cypress electron express flask gatsby helm
    hugo istio ktor loguru maven mocha nomad phoenix pillow quarkus react remix requests rspec
    sentry spark spring symfony tomcat tornado typer vagrant vault vue
    """)
"""Software named by an ordinary word: only a capital inside a sentence tells that it is meant."""

PRODUCTS = listed("""
    adobe aider airbnb alexa algolia alpine amazon anaconda android anthropic apache apollo
    apple arduino arm asana athena atlassian atom aurora auth0 aws azure babel backbone bard
    bedrock bing bitbucket bitcoin bluetooth chatgpt chrome chromium circleci claude cloudflare
    cloudfront cloudwatch codex cognito confluence copilot cortana cursor databricks debian
    deepmind deepseek devin devops discord dropbox ebay echo eclipse edge emacs ember ethereum
    excel facebook fargate fedora figma firebase firefox fitbit gemini git github gitlab gmail
    google gpt grok groq haiku hermes heroku homebrew huggingface ibm icloud instagram intel
    intellij ios ipad iphone jenkins jetbrains jira kaggle kindle kinesis lambda linear linkedin
    linux llama loki mac macbook macos maps mastodon meta microsoft mistral mozilla neovim
    netflix netlify notion nvidia okta openai opus oracle outlook paypal perplexity photoshop
    pixar pixel playstation postman pycharm qwen raspberry reddit redshift replit route53 safari
    sagemaker salesforce samsung shopify siri skype slack snowflake solaris sonnet sony spacex
    splunk spotify stripe sublime substack telegram tesla tiktok toyota travis trello twilio
    twitch twitter uber ubuntu unity unix vercel vim visual vscode whatsapp wifi wikipedia
    windows windsurf wordpress xbox xcode yahoo youtube zapier zendesk zoom
    """)
"""Companies, services and machines: neither a person nor something to depend on."""

PLACES = listed("""
    africa alabama alaska amsterdam arizona asia athens atlanta australia austria bangalore
    barcelona beijing belgium berlin boston brazil britain california cambridge canada chicago
    china colorado copenhagen delhi denmark denver dublin edinburgh egypt england europe finland
    florida france geneva germany greece hamburg hawaii helsinki hollywood hungary iceland illinois
    india indonesia ireland istanbul italy japan kenya korea lisbon london madrid manchester
    melbourne mexico miami milan montreal moscow mumbai munich nevada nigeria norway oregon osaka
    oslo ottawa oxford pakistan philadelphia poland portland portugal prague rome russia scotland
    seattle seoul shanghai singapore spain stockholm sweden switzerland taiwan tallinn texas
    thailand tokyo toronto turkey ukraine utah vancouver vienna vietnam warsaw washington zurich
    """)

LABELS = listed("""
    abstract acceptance action actions actual add added additional address adds advantages after
    agenda allow alternative alternatives analysis announcement answer answers api approach
    approved architecture arguments assignee assumption assumptions attention author authors
    avoid backend background bash before behavior behaviour benefits best body branch breaking
    bug build bump button cause caution caveat challenge change changed changelog changes check
    checklist chore clean cleanup client code codebase command comment comments commit commits
    component components con conclusion config configuration cons constraint constraints content
    contents context continue correct cost create credits critical current customer danger
    dashboard data database date day days debug decision decisions default delete dependencies
    dependency deploy deployment deprecated deps description design detail details development
    difference disable disadvantages doc docs documentation done downgrade drop duration enable
    ensure environment error errors evaluation event example examples exception expected
    explanation extend fact facts failed failure fatal feat feature features feedback feel
    figure file files final finally finding findings first fix fixed fixes focus folder for
    format found frontend function functions future general global goal goals good guide handle
    headers help here hint history hook host how idea ideas impact implement implementation
    important improve improved improvements in incident increase info information initial input
    insight install installation instructions introduce introduction issue issues item items key
    kind known language last latest learned legend length lesson lessons level library license
    limit limitation limitations line link links lint list local location log logs long main
    maintenance make management matrix measure measures merge message metadata method methods
    metric metrics migration milestone minor mode model module monitoring motivation move name
    names nb need needs new next no none not note notes notice number objective observation
    observations okay old only open operation option options order other outcome output overall
    overview owner package page part path pattern people perf performance person phase plan
    please point points port possible preference prefix prep prerequisites priority private pro
    problem problems procedure process product production profile progress project prompt
    proposal pros public purpose query question questions quick quote rationale readme reason
    reasons recap recommendation recommendations ref refactor reference references refs related
    release remember reminder remove removed rename replace repo report request requirement
    requirements resolution resource resources response result results return returns revert
    review rewrite risk risks role root route rule rules run runtime same sample scenario
    schedule scope score script section security see server service session settings setup
    severity short side signed simplify size small snippet solution source space spec speed
    sprint stage staging standard start state status step steps still strategy string structure
    style subject subtask success suggestion suggestions summary support symptom symptoms syntax
    table tag tags take target task tasks team template term test testing tests text theme then
    thesis third thought thoughts ticket time timeline tip tips title tldr to todo todos token
    tool tools topic topics total trace track tradeoff tradeoffs transcript tweak type types ui
    uncategorized update updated updates upgrade upstream url usage use user users using ux
    validation value values verdict verify version versions via view warning warnings web week
    what when where which who why wip work workaround workflow wrong year yes
    """)
"""Words that stand before a colon, or with a capital in a heading, and name no one."""

ROLES = frozenset(("user", "assistant", "human", "ai", "agent", "bot", "system"))
"""What transcripts call a speaker who has no name."""

ABBREVIATED_MONTHS = {month[:3]: month for month in MONTHS} | {"sept": "september"}

CALENDAR = frozenset((*MONTHS, *WEEKDAYS, *ABBREVIATED_MONTHS, *(day[:3] for day in WEEKDAYS)))
"""Months and weekdays, in full and abbreviated."""
