export { type McpProgram, mcpProgram } from './mcp-program.test.helper.ts'
export type {
  McpScript,
  ScriptedEvent,
  ScriptedQuestion,
  ScriptedStep,
  ScriptedTool,
} from './mcp-script.test.helper.ts'
export { type McpHttpServer, startMcpServer } from './start-mcp-server.test.helper.ts'
