import { jsonOption } from '../../command/common-options.ts'
import { defineCommand } from '../../command/define-command.ts'

const help = `A plugin adds tools for the agent, routes and jobs to an oracle. The plugins of the project are in src/plugins, one file
each with a test; the bundled ones are in @sibyl/bundle.`

const newHelp = `Writes src/plugins/<name>.ts with one tool and src/plugins/<name>.test.ts, and adds the plugin to src/main.ts. You can use
it in chat immediately: the offline model follows the example in its manifest. Of the existing files only main.ts changes.`

const listHelp = `Inspects the project, without listening or storing anything.

States: loaded, available (loaded on demand), pending (still starting), degraded (partly working), failed, excluded (the
variable that enables it is blank).`

const checkHelp = `Runs the checks of @sibyl/testing on the plugin that each file of src/plugins exports under its name, such as fieldAdvice
in field-advice.ts. The checks run in a separate process with the settings of the project, a database in memory and the
offline model. Plugins send their requests to external services as usual.`

const newCommand = defineCommand({
  name: 'new',
  summary: 'create a plugin with a test, and add it to the oracle',
  help: newHelp,
  examples: ['sibyl plugin new field-advice', 'sibyl plugin new "Field Advice"   the same: names are converted'],
  exits: '0 done, 2 usage, 3 configuration.',
  positionals: { name: { summary: 'the name: lower-case letters, digits and hyphens' } },
  options: jsonOption,
  run: async ({ positionals: { name }, options, io }) => (await import('./new-plugin.ts')).newPlugin(name, options, io),
})

const listCommand = defineCommand({
  name: 'list',
  summary: 'list the plugins of the oracle, with their tools, routes and states',
  help: listHelp,
  examples: [
    'sibyl plugin list',
    `sibyl plugin list --json | jq -r '.plugins[] | select(.state == "excluded") | .variable'`,
  ],
  exits: '0 done, 2 usage, 3 the project does not start, 130 interrupted.',
  options: jsonOption,
  run: async ({ options, io }) => (await import('./list-plugins.ts')).listPlugins(options, io),
})

const checkCommand = defineCommand({
  name: 'check',
  summary: 'run the standard checks on the plugins of the project',
  help: checkHelp,
  examples: ['sibyl plugin check', 'sibyl plugin check field-advice'],
  exits: '0 all passed, 1 a check failed, 2 usage, 3 the project does not start, 130 interrupted.',
  positionals: { name: { optional: true, summary: 'check only this one' } },
  options: jsonOption,
  run: async ({ positionals: { name }, options, io }) =>
    (await import('./check-plugins.ts')).checkPlugins(name, options, io),
})

export const pluginCommand = defineCommand({
  name: 'plugin',
  summary: 'create, list and check the plugins of a project',
  help,
  examples: [
    'sibyl plugin new field-advice     create a plugin with a test',
    'sibyl plugin check                run the standard checks on the plugins of the project',
    'sibyl plugin list                 list all plugins, and the variables of excluded ones',
  ],
  exits: '0 done, 1 a check failed, 2 usage, 3 configuration.',
  commands: [newCommand, listCommand, checkCommand],
})
