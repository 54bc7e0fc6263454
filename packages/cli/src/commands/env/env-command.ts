import { jsonOption } from '../../command/common-options.ts'
import { defineCommand } from '../../command/define-command.ts'
import { envExampleOptions, envInitOptions } from './env-options.ts'

const help = `
What can be set follows from the oracle's plugins, so these commands run its main.ts as far as that takes; nothing listens
and its database is not touched. The environment goes before .env, .env before oracle.config.json.
No value of a secret is ever shown.

Examples:
  sibyl env check                 what is wrong, missing or mistyped, and which plugins are switched off
  sibyl env init                  after git clone: an .env with secrets of its own
  sibyl env explain               all variables, and which are set
  sibyl env explain PORT          one of them: what it is for, what it takes, where it comes from
  sibyl env example --write       .env.example anew, after a plugin has come

Exit codes: 0 done, 1 failed, 2 usage, 3 configuration, 130 interrupted.`

const initHelp = `
Creates .env, or adds missing secrets to an existing one: ORACLE_MNEMONIC, PIN_ENCRYPTION_KEY, ENTITIES_API_KEYS,
ORACLE_OPERATOR_TOKEN and USSD_OPERATOR_TOKEN. Existing entries stay unchanged, including blank ones.
The words of ORACLE_MNEMONIC are the oracle. Where it is registered already, new words would be another one: so they are
asked for, or come from --mnemonic-file or SIBYL_MNEMONIC.

Examples:
  sibyl env init
  sibyl env init --mnemonic-file ./words      with the words of the oracle that is registered
  sibyl env init --new-mnemonic               another oracle, on purpose

Exit codes: 0 done, 2 usage, 3 configuration, 130 interrupted.`

const checkHelp = `
Looks at .env, the environment and oracle.config.json as the oracle would, and says what to do about each mistake.

Examples:
  sibyl env check
  sibyl env check --json | jq -r '.findings[].message'

Exit codes: 0 nothing is wrong, 2 usage, 3 something is wrong, 130 interrupted.`

const exampleHelp = `
Without an option it is printed. Outside of a project: what the bundled plugins take.

Examples:
  sibyl env example              print it
  sibyl env example --write      write it anew, after a plugin has come
  sibyl env example --check      in CI: whether it is up to date

Exit codes: 0 done, 1 not up to date, 2 usage, 3 configuration, 130 interrupted.`

const explainHelp = `
Outside of a project: what the bundled plugins take.

Examples:
  sibyl env explain              all variables, and which are set
  sibyl env explain PORT         one of them

Exit codes: 0 done, 2 usage or no such variable, 3 configuration, 130 interrupted.`

const initCommand = defineCommand({
  name: 'init',
  summary: 'create .env, or add missing secrets',
  help: initHelp,
  options: { ...jsonOption, ...envInitOptions },
  run: async ({ options, io }) => (await import('./init-env.ts')).initEnv(options, io),
})

const checkCommand = defineCommand({
  name: 'check',
  summary: 'check the settings; exit code 3 if a problem is found',
  help: checkHelp,
  options: jsonOption,
  run: async ({ options, io }) => (await import('./check-env.ts')).checkEnv(options, io),
})

const exampleCommand = defineCommand({
  name: 'example',
  summary: 'print .env.example: every variable, commented out',
  help: exampleHelp,
  options: { ...jsonOption, ...envExampleOptions },
  run: async ({ options, io }) => (await import('./show-env-example.ts')).showEnvExample(options, io),
})

const explainCommand = defineCommand({
  name: 'explain',
  summary: 'explain a variable: purpose, accepted values, and source of its value',
  help: explainHelp,
  positionals: { variable: { optional: true, summary: 'the variable (default: list all)' } },
  options: jsonOption,
  run: async ({ positionals: { variable }, options, io }) =>
    (await import('./explain-env.ts')).explainEnv(variable, options, io),
})

export const envCommand = defineCommand({
  name: 'env',
  summary: 'create, check and explain the .env of an oracle',
  help,
  commands: [initCommand, checkCommand, exampleCommand, explainCommand],
})
