import { Argument, Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { PluginOptions } from './plugin-options.ts'

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
Runs the checks of @sibyl/core/testing on what each file of src/plugins exports under its own name, as fieldAdvice in
field-advice.ts, in a process of its own with the settings of the project: a database in memory, the offline model. What a
plugin asks of services outside, it asks here as well.

Examples:
  sibyl plugin check
  sibyl plugin check field-advice

Exit codes: 0 all passed, 1 a check failed, 2 usage, 3 the project does not start, 130 interrupted.`

/**
 * Makes the command `plugin`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const pluginCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('plugin')
    .description('make, list and check the plugins of a project')
    .addHelpText('after', help)
    .addCommand(
      withJson(new Command('new'))
        .description('write a new plugin with a test, and add it to the oracle')
        .addArgument(new Argument('<name>', 'what to call it: small letters, digits and hyphens'))
        .addHelpText('after', newHelp)
        .action(async (name: string, options: PluginOptions) => {
          const { newPlugin } = await import('./new-plugin.ts')
          finish(await newPlugin(name, options, io))
        }),
    )
    .addCommand(
      withJson(new Command('list'))
        .description('all plugins of the oracle, with their tools, routes and states')
        .addHelpText('after', listHelp)
        .action(async (options: PluginOptions) => {
          const { listPlugins } = await import('./list-plugins.ts')
          finish(await listPlugins(options, io))
        }),
    )
    .addCommand(
      withJson(new Command('check'))
        .description("run the checks that every plugin must pass on the project's own")
        .addArgument(new Argument('[name]', 'only this one'))
        .addHelpText('after', checkHelp)
        .action(async (name: string | undefined, options: PluginOptions) => {
          const { checkPlugins } = await import('./check-plugins.ts')
          finish(await checkPlugins(name, options, io))
        }),
    )

const withJson = (command: Command): Command =>
  command.option('--json', 'one JSON object on stdout, also where it fails')
