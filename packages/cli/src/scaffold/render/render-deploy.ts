import type { ProjectFile, SourceFacts } from '../answers/project-facts.ts'
import type { Template } from '../packages/template.ts'
import { packageCommands } from './package-commands.ts'

/** Renders the folder `deploy` from the files of `examples/deploy`, with the port and the image of the project. */
export const renderDeploy = ({ answers }: SourceFacts, { deploy }: Template): ProjectFile[] => {
  const port = `:${answers.port}`
  const compose = deploy['compose.yaml']
    .replace(/^(#.*\n)+/, composeHead(packageCommands(answers.packageManager).add))
    .replace('context: ../..', 'context: ..')
    .replace('dockerfile: examples/deploy/Dockerfile', 'dockerfile: Dockerfile')
    .replace('NODE_ENV: production', `$&\n    PORT: "${answers.port}"`)
    .replaceAll('see .env.example', 'set it in deploy/.env')
  return [
    { path: 'deploy/oracle.service', content: deploy['oracle.service'] },
    { path: 'deploy/compose.yaml', content: compose.replaceAll(':3000', port) },
    { path: 'deploy/kubernetes.yaml', content: deploy['kubernetes.yaml'].replaceAll('3000', String(answers.port)) },
    { path: 'deploy/Caddyfile', content: deploy.Caddyfile.replaceAll(':3000', port) },
  ]
}

const composeHead = (add: string): string => `# In the project: ${add} pg@8 && install -m 600 .env deploy/.env
# In deploy/.env set POSTGRES_PASSWORD (letters and digits alone) and PUBLIC_URL. Then, in the folder deploy:
#   docker compose up --build --detach                    one oracle on PostgreSQL
#   docker compose --profile fleet up --build --detach    two behind a proxy; set SITE_ADDRESS and TRUST_PROXY_ENABLED=true
`
