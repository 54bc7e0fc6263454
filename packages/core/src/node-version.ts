// For `--import` and for a project's vitest.config.ts: ends the process, with the required version, on a Node that
// cannot run a project's TypeScript. On Node 22, suppresses the warning that its SQLite is experimental.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `This is Node ${process.versions.node}; the oracle needs 22.18 or later.\n` +
      'Install Node 24 (https://nodejs.org, or nvm install 24), or give the project its own: npm install --save-dev node@24\n',
  )
  process.exit(3)
}

if (major === 22) {
  const emitWarning = process.emitWarning.bind(process) as (...given: readonly unknown[]) => void
  process.emitWarning = (...given: readonly unknown[]) => {
    if (given[1] !== 'ExperimentalWarning') emitWarning(...given)
  }
}
