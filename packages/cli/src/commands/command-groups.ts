import type { CommandMaker } from '../command/define-command.ts'
import { apiCommand } from './api/api-command.ts'
import { apiKeysCommand } from './api-keys/api-keys-command.ts'
import { backupCommand } from './backup/backup-command.ts'
import { benchCommand } from './bench/bench-command.ts'
import { chatCommand } from './chat/chat-command.ts'
import { completionCommand } from './completion/completion-command.ts'
import { consoleCommand } from './console/console-command.ts'
import { createEntityCommand } from './create-entity/create-entity-command.ts'
import { creditsCommand } from './credits/credits-command.ts'
import { devCommand } from './dev/dev-command.ts'
import { devnetCommand } from './devnet/devnet-command.ts'
import { doctorCommand } from './doctor/doctor-command.ts'
import { envCommand } from './env/env-command.ts'
import { inspectCommand } from './inspect/inspect-command.ts'
import { keysCommand } from './keys/keys-command.ts'
import { loginCommand } from './login/login-command.ts'
import { logoutCommand } from './logout/logout-command.ts'
import { mcpCommand } from './mcp/mcp-command.ts'
import { newCommand } from './new/new-command.ts'
import { peopleCommand } from './people/people-command.ts'
import { pluginCommand } from './plugin/plugin-command.ts'
import { restoreCommand } from './restore/restore-command.ts'
import { signInCommand } from './sign-in/sign-in-command.ts'
import { storageCommand } from './storage/storage-command.ts'
import { tokenCommand } from './token/token-command.ts'
import { updateEntityCommand } from './update-entity/update-entity-command.ts'
import { updateOracleApiUrlCommand } from './update-oracle-api-url/update-oracle-api-url-command.ts'
import { upgradeCommand } from './upgrade/upgrade-command.ts'
import { ussdCommand } from './ussd/ussd-command.ts'
import { whoamiCommand } from './whoami/whoami-command.ts'

/** All commands under their headings, in the order of `sibyl --help`. */
export const commandGroups: Readonly<Record<string, readonly CommandMaker[]>> = {
  'Commands to create and run an oracle:': [
    newCommand,
    devCommand,
    consoleCommand,
    upgradeCommand,
    inspectCommand,
    pluginCommand,
    envCommand,
    doctorCommand,
    benchCommand,
    storageCommand,
    backupCommand,
    restoreCommand,
    peopleCommand,
    apiKeysCommand,
    signInCommand,
    creditsCommand,
  ],
  'Commands to chat with an oracle:': [chatCommand, apiCommand, mcpCommand, ussdCommand, tokenCommand],
  'Commands to register an oracle:': [
    updateOracleApiUrlCommand,
    createEntityCommand,
    updateEntityCommand,
    devnetCommand,
  ],
  'Commands for keys and signing:': [loginCommand, logoutCommand, whoamiCommand, keysCommand],
  'Commands for your shell:': [completionCommand],
}
