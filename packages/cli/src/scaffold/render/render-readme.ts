import type { ProjectFacts, ProjectFile } from '../answers/project-facts.ts'
import { packageCommands } from './package-commands.ts'
import { templateFacts } from './template-facts.ts'

export const renderReadme = (facts: ProjectFacts): ProjectFile => {
  const { name, description } = facts.answers.profile
  const packageScripts = packageCommands(facts.answers.packageManager)
  const { install, dev, test, check, sibyl } = packageScripts
  const { files, firstTry, section } = templateFacts[facts.answers.template]
  const { port } = facts.answers
  const commands: [string, string][] = [
    [install, 'once'],
    [dev, `serve it on http://localhost:${port}, and restart it at every change`],
    [`${sibyl} ${firstTry}`, 'in another terminal'],
    [test, 'the tests'],
    [check, 'the types'],
    [`${sibyl} doctor`, 'find problems and their fixes'],
  ]
  const width = Math.max(...commands.map(([command]) => command.length))
  return {
    path: 'README.md',
    content: `# ${plainMarkdown(name)}

${plainMarkdown(description)}

An oracle made with Sibyl: an AI agent with a verifiable identity, assembled from plugins.

\`\`\`sh
${commands.map(([command, what]) => `${command.padEnd(width)}   # ${what}`).join('\n')}
\`\`\`

It needs Node 22.18 or later, and no key: without one it answers by the offline model, which knows the examples of its plugins
and nothing else. For free conversation set \`OPENAI_API_KEY\` in \`.env\`, or \`OPENAI_BASE_URL\` for a server of your own; which of its
models, says \`model\` in \`oracle.config.json\`.

${renderTable(
  ['File', 'Purpose'],
  [
    ['`src/main.ts`', 'calls `createOracleApp` with the config and the plugins'],
    ['`src/config.ts`', 'reads `oracle.config.json`'],
    ...Object.entries(files).map(([path, what]): [string, string] => [`\`${path}\``, what]),
    ['`src/plugins/`', 'its own plugins, one file each, with tests'],
    ['`skills/`', 'instructions that the agent loads on demand'],
    ['`oracle.config.json`', 'name, description, model, prompt, price, network, DID of the entity'],
    ['`.env`', 'settings of this computer and secrets of the oracle; never in git'],
    ['`.env.example`', 'every variable, with its purpose'],
    ['`Dockerfile`', 'an image for production'],
    ['`deploy/`', 'production: a systemd unit; a compose file with PostgreSQL, and its proxy'],
  ],
)}

\`ORACLE_MNEMONIC\` in \`.env\` is the oracle's identity: who has these words is the oracle, and without them it is gone. Keep a
copy in a safe place.

${registered(facts, sibyl)}
${section?.(packageScripts, port) ?? ''}## Further

- A plugin of your own: \`${sibyl} plugin new <name>\` writes it with a test that passes, and registers it in \`src/main.ts\`.
- MCP servers: name them in \`mcp.json\`, in the format that other hosts use; each becomes a capability of the agent. Memory, web
  pages and running code: \`MEMORY_MCP_URL\`, \`FIRECRAWL_MCP_URL\` and \`SANDBOX_MCP_URL\` in \`.env\`; \`embedded:\` needs no service.
- Its whole configuration: \`${sibyl} env explain\`, and what the agent sees of it: \`${sibyl} inspect\`.
- Production: \`docker build --tag oracle .\`, then
  \`docker run --env-file .env --volume oracle:/data --publish ${port}:${port} oracle\`. The offline
  model answers there only with \`LLM_PROVIDER=offline\`. Without containers: \`deploy/oracle.service\`, for systemd; several
  processes: \`deploy/compose.yaml\`.
`,
  }
}

const registered = ({ answers, entityDid }: ProjectFacts, sibyl: string): string => {
  const { network, apiUrl, port } = answers
  if (entityDid === undefined) {
    return `It is not registered yet. To register it on ${network}: \`${sibyl} create-entity --oracle\`\n`
  }
  const elsewhere =
    apiUrl === `http://localhost:${port}`
      ? ''
      : `The registry lists it at <${apiUrl}>. To change that address: \`${sibyl} update-oracle-api-url <url>\`.\n`
  return `It is registered on ${network} as \`${entityDid}\`.\n${elsewhere}`
}

/** Renders a README in the folder of plugins if a template has none, because git does not store empty folders. */
export const renderPluginFolder = ({ answers }: ProjectFacts, paths: readonly string[]): ProjectFile[] => {
  if (paths.some(path => path.startsWith('src/plugins/'))) return []
  const { sibyl } = packageCommands(answers.packageManager)
  const content = `Plugins of this oracle, one file each with its test beside it. \`${sibyl} plugin new <name>\` writes both.\n`
  return [{ path: 'src/plugins/README.md', content }]
}

export const renderSkillsFolder = (): ProjectFile => ({
  path: 'skills/README.md',
  content: `Skills of this oracle: instructions for special tasks, which the agent loads on demand. Each has a folder with the name of the
skill and a file \`SKILL.md\`:

\`\`\`markdown
---
name: well-report
description: How to write a report about a well. Use it when a user reports a broken pump or bad water.
---

Ask for the well's number first. Then …
\`\`\`

The agent reads further files beside it when the text names them. Changes apply from the next message on.
`,
})

/** Escapes text of a user for Markdown, on one line. */
const plainMarkdown = (words: string): string =>
  words
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~]|&(?=#?\w+;)/g, '\\$&')
    .replace(/^[-+=]|(?<=^\d+)[.)]/, '\\$&')

const renderTable = (head: readonly [string, string], rows: readonly (readonly [string, string])[]): string => {
  const all = [head, ...rows]
  const widths = [0, 1].map(column => Math.max(...all.map(row => row[column]!.length)))
  const line = (cells: readonly string[], filler = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!, filler)).join(' | ')} |`
  return [line(head), line(['', ''], '-'), ...rows.map(row => line(row))].join('\n')
}

/** Renders `AGENTS.md`, for coding agents. */
export const renderAgents = ({ answers }: ProjectFacts): ProjectFile => {
  const { install, dev, test, check, sibyl } = packageCommands(answers.packageManager)
  const own = Object.entries(templateFacts[answers.template].files).map(([path, what]) => `- \`${path}\`: ${what}.`)
  return {
    path: 'AGENTS.md',
    content: `# For coding assistants

${plainMarkdown(answers.profile.name)} is an oracle made with Sibyl: an AI agent as a service, assembled from plugins, with an identity of
its own (a DID). TypeScript that Node runs as it is: no build.

## Commands

- \`${install}\`, then \`${test}\` (tests), \`${check}\` (types). Both pass before and after every change of yours.
- \`${dev}\` serves it and starts again at every change; \`${sibyl} chat --once "…"\` asks it something.
- \`${sibyl} doctor\` finds what is wrong; \`${sibyl} inspect\` shows prompt, tools and their tokens; \`${sibyl} env explain\` every
  variable; \`--json\` behind any of them gives one object.

## Map

- \`src/main.ts\`: the list of plugins. Keep \`plugins: [...bundledPlugins(), …]\` on one line: \`${sibyl} plugin new\` adds to it.
- \`src/config.ts\`, \`oracle.config.json\`: name, description, prompt, price, model.
${own.join('\n')}
- \`src/plugins/\`: plugins of this project, one file each, with its test beside it.
- \`skills/\`: a folder each with a \`SKILL.md\`; \`mcp.json\`, if it is there, names MCP servers. The agent loads both on demand.
- The API of plugins is documented in the types of \`node_modules/@sibyl/core\`: begin at \`definePlugin\`.

## A plugin

\`${sibyl} plugin new <name>\` makes one. It is a function that returns \`definePlugin({ name, version, core, manifest, env, setup })\`:

- \`manifest\`: what the agent reads before it uses it. Every tool needs an entry in \`examples\`: what a person says, the tool, its
  arguments, and how the answer is worded. The offline model knows nothing else.
- \`env\`: a zod object of its variables, each with \`.describe(…)\`. Never read \`process.env\`.
- \`setup(host)\`: gives back \`tools\`, \`routes\`, \`services\`. State lives inside it, never in the module.
- \`defineTool\` with schemas for \`input\` and \`output\`; \`effect: 'read'\` or \`'write'\`; \`approval: 'user'\` where a person has to agree.
  What a person may read is thrown as \`ToolFailure\`; every other error is masked.
- Its test runs \`checkPlugin\` and talks to it by \`testApp\`, both of \`@sibyl/testing\`.

## Rules

- Never print, log or commit what stands in \`.env\`; never write a secret into a file but \`.env\`. A new variable belongs into a
  plugin's \`env\`.
- Tests need no network and no key: \`testApp\` keeps its database in memory and takes the offline model.
- Only TypeScript that can be erased: no enums, no namespaces, no parameter properties. Imports name the file with \`.ts\`.
- \`vendor/\`, if it is there, holds packages that are not published; leave it as it is.
`,
  }
}
