import { appendFileSync, readFileSync, watch, writeFileSync } from 'node:fs'
import type { McpScript, ScriptedEvent } from './mcp-script.test.helper.ts'
import type { ScriptedHost } from './scripted-host.test.helper.ts'

// The program behind `mcpProgram`: MCP over standard input and output, as the script in its folder says.
const [folder = ''] = process.argv.slice(2)
const scriptFile = `${folder}/script.json`

const script = () => JSON.parse(readFileSync(scriptFile, 'utf8')) as McpScript
const record = (event: ScriptedEvent & { pid?: number; env?: unknown }) =>
  appendFileSync(`${folder}/events.jsonl`, `${JSON.stringify(event)}\n`)

const host: ScriptedHost = {
  script,
  change: part => writeFileSync(scriptFile, JSON.stringify({ ...script(), ...part })),
  record,
  exit: code => process.exit(code),
  garbage: text => void process.stdout.write(text),
}

record({ what: 'started', pid: process.pid, env: process.env })
const { start, revision, stderr } = script()
if (stderr !== undefined) process.stderr.write(stderr)

if (start && 'exit' in start) {
  process.stderr.write('It does not want to.\n')
  process.exit(start.exit)
}
if (start && 'stall' in start) setInterval(() => {}, 1_000)
else {
  if (start && 'garbage' in start) process.stdout.write(start.garbage)
  if (start && 'flood' in start) process.stdout.write('x'.repeat(start.flood))
  if (start && 'endsAtProbe' in start) {
    process.stdin.once('data', bytes => {
      if (bytes.includes('server/discover')) process.exit(3)
    })
  }
  if (start && 'stubborn' in start) {
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1_000)
  }
  if (revision === 'new') await serveNew()
  else await serveOld()
}

async function serveOld() {
  const { serveOldStdio } = await import('./serve-old-stdio.test.helper.ts')
  onChanged(serveOldStdio(host))
}

async function serveNew() {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  const { createNewServer } = await import('./new-server.test.helper.ts')
  const servers = new Set<ReturnType<typeof createNewServer>>()
  const changed = () => {
    for (const server of servers) void server.sendToolListChanged().catch(() => {})
  }
  serveStdio(() => {
    const server = createNewServer(host, changed)
    servers.add(server)
    return server
  })
  onChanged(changed)
}

/** A script that was written anew is told as changed tools. */
function onChanged(report: () => void) {
  watch(folder, (_, file) => {
    if (file === 'changed') report()
  }).unref()
}
