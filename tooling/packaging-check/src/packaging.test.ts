import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { bundledPlugins } from '@sibyl/bundle'
import { listEnvVariables } from '@sibyl/core'
import { workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkCompose } from './check-compose.ts'
import { checkDockerfile } from './check-dockerfile.ts'

const read = (path: string) => readFileSync(join(workspaceRoot, path), 'utf8')
const folder = 'examples/deploy'

const { catalog } = parse(read('pnpm-workspace.yaml')) as { catalog: { node: string } }
const dockerfile = read(`${folder}/Dockerfile`)
const inDockerfile = {
  exists: (path: string) => existsSync(join(workspaceRoot, path)),
  versions: { node: catalog.node, pnpm: /pnpm@(12\.\d+\.\d+)/.exec(dockerfile)?.[1] ?? '12' },
}

const variables = listEnvVariables(bundledPlugins())
const compose = read(`${folder}/compose.yaml`)
const inCompose = {
  example: parseEnv(read(`${folder}/.env.example`)) as Record<string, string>,
  isVariable: (name: string) => variables.some(variable => variable.name === name),
  stopSeconds: Number(variables.find(({ name }) => name === 'SHUTDOWN_GRACE_SECONDS')?.default),
}

test('the Dockerfile has no findings', () => {
  expect(checkDockerfile(dockerfile, inDockerfile)).toEqual([])
})

test.each<[string, string, string, RegExp]>([
  ['an instruction that is none', 'EXPOSE 3000', 'EXPOSED 3000', /Unknown instruction/],
  ['an image of another version', `node:${catalog.node}`, 'node:24.0.0', /node is not/],
  [
    'an image without a version',
    `FROM node:${catalog.node}-bookworm-slim AS`,
    'FROM node:latest AS',
    /no whole version/,
  ],
  ['a user who is root', 'USER 1000:1000', 'USER root', /user is not a number above 0/],
  ['a shell as PID 1', 'CMD ["node", "src/main.ts"]', 'CMD node src/main.ts', /CMD is not node/],
  ['a check of health by a program that is not there', 'CMD ["node", "--eval"', 'CMD ["curl", "--eval"', /HEALTHCHECK/],
  ['a secret in a layer', 'ENV NODE_ENV=production', 'ENV OPENAI_API_KEY=x NODE_ENV=production', /hold a secret/],
  [
    'files that may all be missing',
    'COPY package.json pnpm-lock.yaml pnpm-workspace.yaml',
    'COPY mcp.jso[n]',
    /may be missing/,
  ],
  ['a file that is not there', 'COPY package.json pnpm-lock.yaml', 'COPY package.json yarn.lock', /yarn.lock is not/],
])('%s is found', (_, right, wrong, violation) => {
  expect(dockerfile).toContain(right)
  expect(checkDockerfile(dockerfile.replace(right, wrong), inDockerfile).join('\n')).toMatch(violation)
})

test('what must not be in a layer is not in the build context', () => {
  const ignored = read(`${folder}/Dockerfile.dockerignore`).split('\n')
  for (const path of ['.git', '**/.env', '**/.data', '**/node_modules', '**/*.db']) expect(ignored).toContain(path)
})

test('the compose file has no findings', () => {
  expect(inCompose.stopSeconds).toBeGreaterThan(0)
  expect(checkCompose(compose, inCompose)).toEqual([])
})

test.each<[string, string, string, RegExp]>([
  ['a key that Compose does not know', 'read_only: true', 'readonly: true', /additional properties/],
  ['a value of the wrong kind', 'restart: unless-stopped', 'restart: [always]', /must be string/],
  ['files that can be changed', 'read_only: true', 'read_only: false', /can be changed/],
  ['too little time to stop', 'stop_grace_period: 20s', 'stop_grace_period: 5s', /no time to stop/],
  ['an image without a version', 'postgres:17.6-bookworm', 'postgres:latest', /no whole version/],
  ['a password', '${POSTGRES_PASSWORD:?see .env.example}\n    volumes', 'sesame\n    volumes', /a secret stands/],
  ['a variable that no oracle knows', 'NODE_ENV: production', 'NODE_ENVIRONMENT: production', /no oracle knows/],
  ['a variable that is not in the example', '${SITE_ADDRESS:-:80}', '${SITE}', /SITE is not in the example/],
  ['a port for everybody', '"127.0.0.1:3000:3000"', '"3000:3000"', /without a proxy/],
])('%s is found', (_, right, wrong, violation) => {
  expect(compose).toContain(right)
  expect(checkCompose(compose.replace(right, wrong), inCompose).join('\n')).toMatch(violation)
})
