import { toolNames } from '@sibyl/mcp-client'

/** Names at a remote sandbox: its tool, and the arguments of that. */
export interface SandboxTools {
  readonly run_code: string
  readonly code: string
  readonly language: string
  readonly files: string
  /** Whether the operator maps them, because the server has a contract of its own. */
  readonly isMapped: boolean
}

/** Value of `SANDBOX_MCP_TOOLS` for `mcp-server-code-runner`. */
export const codeRunnerTools = 'run_code=run-code,language=languageId'

const names = ['run_code', 'code', 'language', 'files'] as const
const [run_code, code, language, files] = names

/** The names of the contract, as the README describes it. */
export const usualSandboxTools: SandboxTools = { run_code, code, language, files, isMapped: false }

/** Schema of `SANDBOX_MCP_TOOLS`. */
export const sandboxToolNames = toolNames(names).transform(
  (given): SandboxTools => ({ ...usualSandboxTools, ...given, isMapped: true }),
)
