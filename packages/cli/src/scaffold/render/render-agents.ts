import type { ProjectFacts, ProjectFile } from '../project-facts.ts'
import { templateFacts } from '../template-facts.ts'
import { plainMarkdown } from './markdown.ts'
import { packageCommands } from './package-commands.ts'

/** Renders `AGENTS.md`, for assistants that write code here. */
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
- Its test runs \`checkPlugin\` and talks to it by \`testApp\`, both of \`@sibyl/core/testing\`.

## Rules

- Never print, log or commit what stands in \`.env\`; never write a secret into a file but \`.env\`. A new variable belongs into a
  plugin's \`env\`.
- Tests need no network and no key: \`testApp\` keeps its database in memory and takes the offline model.
- Only TypeScript that can be erased: no enums, no namespaces, no parameter properties. Imports name the file with \`.ts\`.
- \`vendor/\`, if it is there, holds packages that are not published; leave it as it is.
`,
  }
}
