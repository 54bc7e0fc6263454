// For `--import` and for a project's vitest.config.ts: ends the process, with the required version, on a Node that
// cannot run a project's TypeScript.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `This is Node ${process.versions.node}; the oracle needs 22.18 or later.\n` +
      'Install Node 24 (https://nodejs.org, or nvm install 24), or give the project its own: npm install --save-dev node@24\n',
  )
  process.exit(3)
}
