import { jsonOption } from '../../command/common-options.ts'
import { defineCommand } from '../../command/define-command.ts'

const help = `
A plugin gives the oracle something it can do: tools for the agent, routes, jobs. The project's own are in src/plugins, one
file each with its test beside it; the bundled ones come with @sibyl/bundle.

Examples:
  sibyl plugin new field-advice     a plugin that works, with a test that passes
  sibyl plugin check                whether the project's own plugins keep the rules
  sibyl plugin list                 all plugins, and what switches the excluded ones on

Exit codes: 0 done, 1 a check failed, 2 usage, 3 configuration.`

const newHelp = `
Writes src/plugins/<name>.ts with one tool, and src/plugins/<name>.test.ts, and adds the plugin to src/main.ts. Ask the oracle
for it at once: the offline model follows the example in its manifest. Nothing that is there already is changed but main.ts.

Examples:
  sibyl plugin new field-advice
  sibyl plugin new "Field Advice"   the same: names are put into this form

Exit codes: 0 done, 2 usage, 3 configuration.`

const listHelp = `
Starts the project to look at it, without listening or storing anything.

States: loaded, available (the agent loads it when it needs it), pending and degraded (it works on it, or without a part),
failed, excluded (a variable that switches it on is blank).

Examples:
  sibyl plugin list
  sibyl plugin list --json | jq -r '.plugins[] | select(.state == "excluded") | .variable'

Exit codes: 0 done, 2 usage, 3 the project does not start, 130 interrupted.`

const checkHelp = `
Runs the checks of @sibyl/testing on what each file of src/plugins exports under its own name, as fieldAdvice in
field-advice.ts, in a process of its own with the settings of the project: a database in memory, the offline model. What a
plugin asks of services outside, it asks here as well.

Examples:
  sibyl plugin check
  sibyl plugin check field-advice

Exit codes: 0 all passed, 1 a check failed, 2 usage, 3 the project does not start, 130 interrupted.`

const newCommand = defineCommand({
  name: 'new',
  summary: 'create a plugin with a test, and add it to the oracle',
  help: newHelp,
  positionals: { name: { summary: 'the name: lower-case letters, digits and hyphens' } },
  options: jsonOption,
  run: async ({ positionals: { name }, options, io }) => (await import('./new-plugin.ts')).newPlugin(name, options, io),
})

const listCommand = defineCommand({
  name: 'list',
  summary: 'list the plugins of the oracle, with their tools, routes and states',
  help: listHelp,
  options: jsonOption,
  run: async ({ options, io }) => (await import('./list-plugins.ts')).listPlugins(options, io),
})

const checkCommand = defineCommand({
  name: 'check',
  summary: "run the standard checks on the plugins of the project",
  help: checkHelp,
  positionals: { name: { optional: true, summary: 'check only this one' } },
  options: jsonOption,
  run: async ({ positionals: { name }, options, io }) =>
    (await import('./check-plugins.ts')).checkPlugins(name, options, io),
})

export const pluginCommand = defineCommand({
  name: 'plugin',
  summary: 'create, list and check the plugins of a project',
  help,
  commands: [newCommand, listCommand, checkCommand],
})
