import type { ProjectFile, SettingsFacts, SourceFacts } from '../answers/project-facts.ts'
import { packageCommands } from './package-commands.ts'
import { templateFacts } from './template-facts.ts'

/** The guide, which the command brings along. */
const guide = 'node_modules/@sibyl/cli/dist/docs/guide/'

export const renderReadme = (facts: SettingsFacts): ProjectFile => {
  const { name, description } = facts.answers.profile
  const packageScripts = packageCommands(facts.answers.packageManager)
  const { install, dev, test, check, sibyl } = packageScripts
  const { files, firstTry, section } = templateFacts[facts.answers.template]
  const { port } = facts.answers
  const commands: [string, string][] = [
    [install, 'once'],
    [dev, `serve it on http://localhost:${port}, and restart it at every change`],
    [`${sibyl} ${firstTry}`, 'in another terminal'],
    [`${sibyl} console`, 'open the console in the browser, signed in'],
    [test, 'run the tests'],
    [check, 'check the types'],
    [`${sibyl} doctor`, 'find problems and their remedies'],
  ]
  const width = Math.max(...commands.map(([command]) => command.length))
  return {
    path: 'README.md',
    content: `# ${plainMarkdown(name)}

${plainMarkdown(description)}

An oracle built with Sibyl: an AI agent with a verifiable identity, assembled from plugins.

\`\`\`sh
${commands.map(([command, what]) => `${command.padEnd(width)}   # ${what}`).join('\n')}
\`\`\`

It needs Node 22.18 or later. Without a key, it answers with the offline model, which matches only the examples of its plugins.
For free conversation, set \`OPENAI_API_KEY\` in \`.env\`, or \`OPENAI_BASE_URL\` for your own server. \`model\` in
\`oracle.config.json\` selects the model.

${renderTable(
  ['File', 'Purpose'],
  [
    ['`src/main.ts`', 'calls `createOracleApp` with the config and the plugins'],
    ['`src/config.ts`', 'reads `oracle.config.json`'],
    ...Object.entries(files).map(([path, what]): [string, string] => [`\`${path}\``, what]),
    ['`src/plugins/`', 'plugins of this project, one file each, with tests'],
    ['`skills/`', 'instructions that the agent loads on demand'],
    ['`oracle.config.json`', 'name, description, model, prompt, price, network, DID of the entity'],
    ['`.env`', 'settings of this computer and secrets of the oracle; git ignores it'],
    ['`.env.example`', 'every variable, with a description'],
    ['`Dockerfile`', 'an image for production'],
    ['`deploy/`', 'production: systemd unit, compose file with PostgreSQL, proxy settings'],
  ],
)}

\`ORACLE_MNEMONIC\` in \`.env\` is the identity of the oracle. Anyone who has it can act as the oracle, and it cannot be recovered.
Keep a copy in a safe place.

${registered(facts, sibyl)}
${section?.(packageScripts, port) ?? ''}## Next steps

- **Read the guide.** After the installation, it is in [${guide}](${guide}index.md), with the reference beside it.
- **Add a plugin.** \`${sibyl} plugin new <name>\` writes a plugin and its test, and adds it to \`src/main.ts\`.
- **Connect MCP servers.** List them in \`mcp.json\`, in the format of other MCP hosts. Each becomes a capability of the agent.
- **Turn on memory, web pages and code.** Set \`MEMORY_MCP_URL\`, \`FIRECRAWL_MCP_URL\` and \`SANDBOX_MCP_URL\` in \`.env\`; the value
  \`embedded:\` needs no service.
- **Change settings.** \`${sibyl} env explain\` describes every variable. \`${sibyl} inspect\` shows what the model receives.
- **Deploy.** \`docker build --tag oracle .\`, then
  \`docker run --env-file .env --volume oracle:/data --publish ${port}:${port} oracle\`. In production, the offline model answers
  only with \`LLM_PROVIDER=offline\`. Without containers, use \`deploy/oracle.service\` (systemd). For several processes, use
  \`deploy/compose.yaml\` or \`deploy/kubernetes.yaml\`.
`,
  }
}

const registered = ({ answers, entityDid }: SettingsFacts, sibyl: string): string => {
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
export const renderPluginFolder = ({ answers }: SourceFacts, paths: readonly string[]): ProjectFile[] => {
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

The agent reads other files in the folder when the text names them. Changes apply from the next message on.
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
export const renderAgents = ({ answers }: SourceFacts): ProjectFile => {
  const { install, dev, test, check, sibyl } = packageCommands(answers.packageManager)
  const own = Object.entries(templateFacts[answers.template].files).map(([path, what]) => `- \`${path}\`: ${what}.`)
  return {
    path: 'AGENTS.md',
    content: `# For coding assistants

${plainMarkdown(answers.profile.name)} is an oracle built with Sibyl: an AI agent as a service, assembled from plugins, with its own
identity (a DID). Node runs the TypeScript sources directly; there is no build.

## Commands

- \`${install}\`, then \`${test}\` (tests) and \`${check}\` (types). Both must pass before and after every change.
- \`${dev}\` serves the oracle and restarts it at every change. \`${sibyl} chat --once "…"\` sends a message.
- \`${sibyl} doctor\` finds problems. \`${sibyl} inspect\` shows the prompt, the tools and their tokens. \`${sibyl} env explain\`
  describes every variable. With \`--json\`, each prints one object.

## Map

- \`src/main.ts\`: the list of plugins. Keep \`plugins: [...bundledPlugins(), …]\` on one line: \`${sibyl} plugin new\` adds to it.
- \`src/config.ts\`, \`oracle.config.json\`: name, description, prompt, price, model.
${own.join('\n')}
- \`src/plugins/\`: plugins of this project, one file each, with the test beside it.
- \`skills/\`: one folder per skill, with a \`SKILL.md\`. \`mcp.json\`, if it exists, lists MCP servers. The agent loads both on demand.
- The guide is in \`${guide}\`, the reference of every route, command, variable and error in \`../reference/\` of it.
- The plugin API is documented in the types of \`node_modules/@sibyl/plugin\`. Start at \`definePlugin\`.

## A plugin

\`${sibyl} plugin new <name>\` writes one. A plugin is a function that returns \`definePlugin({ name, version, core, manifest, env, setup })\`:

- \`manifest\`: the description that the agent reads before it loads the plugin. Every tool needs an entry in \`examples\`: the message
  of a user, the tool, its arguments, and the answer. The offline model uses only these.
- \`env\`: a zod object of the variables, each with \`.describe(…)\`. Never read \`process.env\`.
- \`setup(host)\`: returns \`tools\`, \`routes\` and \`services\`. Keep state inside it, never in the module.
- \`defineTool\` with schemas for \`input\` and \`output\`, \`effect: 'read'\` or \`'write'\`, and \`approval: 'user'\` if the user must approve
  each call. Throw a \`ToolFailure\` with a message for the user; every other error is masked.
- The test runs \`checkPlugin\` and sends messages with \`testApp\`, both from \`@sibyl/testing\`.

## Rules

- Never print, log or commit the content of \`.env\`. Write secrets only into \`.env\`. Declare a new variable in the \`env\` of a plugin.
- Tests need no network and no key: \`testApp\` uses a database in memory and the offline model.
- Use only erasable TypeScript: no enums, namespaces or parameter properties. Imports end in \`.ts\`.
- \`vendor/\`, if it exists, contains packages that are not published. Do not change it.
`,
  }
}
