import type { PackageManager } from '../../package-manager/detect-package-manager.ts'
import type { ProjectFile, SourceFacts } from '../answers/project-facts.ts'

export const imageVersions = { node: '24.21.0', pnpm: '12.21.0', '@yarnpkg/cli-dist': '4.18.1' } as const

/** The command of each package manager that installs only production dependencies from its lockfile. */
const installs: Readonly<Record<PackageManager, { readonly files: readonly string[]; readonly run: string }>> = {
  npm: { files: ['package-lock.json'], run: 'npm ci --omit=dev --no-audit --no-fund' },
  pnpm: {
    files: ['pnpm-lock.yaml'],
    run: `npm install --global pnpm@${imageVersions.pnpm} && pnpm install --prod --frozen-lockfile`,
  },
  yarn: {
    files: ['yarn.lock', '.yarnrc.yml'],
    run: `npm install --global @yarnpkg/cli-dist@${imageVersions['@yarnpkg/cli-dist']} && yarn workspaces focus --production`,
  },
}

/** Renders the `Dockerfile` and its `.dockerignore`. @param files Paths of the other files of the project. */
export const renderContainer = ({ answers }: SourceFacts, files: readonly string[]): ProjectFile[] => {
  const { files: lockfiles, run } = installs[answers.packageManager]
  const copied = ['package.json', ...lockfiles, ...files.filter(path => path === 'pnpm-workspace.yaml')]
  const hasPage = files.includes('web/index.html')
  const vendor = files.some(path => path.startsWith('vendor/')) ? 'COPY vendor ./vendor\n' : ''
  const image = `node:${imageVersions.node}-bookworm-slim`
  return [
    {
      path: 'Dockerfile',
      content: `# ${answers.packageManager} install first, for the lockfile${hasPage ? ', and the script page' : ''}; then: docker build --tag oracle .
FROM ${image} AS packages
WORKDIR /app
COPY ${copied.join(' ')} ./
${vendor}RUN ${run}

FROM ${image}
ENV NODE_ENV=production \\
    DATABASE_URL=file:/data/sibyl.db \\
    FILES_DIR=/data/files \\
    NODE_COMPILE_CACHE=/data/compiled
RUN install --directory --owner=node --group=node --mode=0700 /data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json oracle.config.json mcp.jso[n] ./
COPY skills ./skills
COPY src ./src
${hasPage ? 'COPY web/dist ./web/dist\n' : ''}RUN chmod -R a+rX *.json skills src${hasPage ? ' web' : ''}
USER 1000:1000
VOLUME /data
EXPOSE ${answers.port}
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \\
    CMD ["node", "--eval", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
`,
    },
    { path: '.dockerignore', content: dockerIgnored },
  ]
}

/** Files that the image does not need, or that no layer may contain. */
const dockerIgnored = `.git
.env
.env.*
.data
node_modules
deploy
*.db
*.db-*
*.log
**/*.test.ts
`

export const renderGitIgnore = ({ answers }: SourceFacts, { hasPage }: { readonly hasPage: boolean }): ProjectFile => ({
  path: '.gitignore',
  content: `node_modules/\n${hasPage ? 'web/dist/\n' : ''}.env\n.env.*\n!.env.example\n.data/\n*.db\n*.db-*\n*.log\n${answers.packageManager === 'yarn' ? '.yarn/\n' : ''}`,
})
