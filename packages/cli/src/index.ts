export { type CommandIo, type InputStream, type OutputStream, processIo } from './command-io.ts'
export { type ExitCode, exitCode } from './exit-code.ts'
export { type DeveloperKey, openDeveloperKey } from './home/developer-key.ts'
export { run } from './main.ts'
