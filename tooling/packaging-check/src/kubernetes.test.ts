import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledPlugins } from '@sibyl/bundle'
import { listEnvVariables } from '@sibyl/core'
import { workspaceRoot } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { checkKubernetes } from './check-kubernetes.ts'

const variables = listEnvVariables(bundledPlugins())
const context = {
  isVariable: (name: string) => variables.some(variable => variable.name === name),
  stopSeconds: Number(variables.find(({ name }) => name === 'SHUTDOWN_GRACE_SECONDS')?.default),
}
const manifests = readFileSync(join(workspaceRoot, 'examples/deploy/kubernetes.yaml'), 'utf8')

test('the manifests of Kubernetes have no findings', () => {
  expect(context.stopSeconds).toBeGreaterThan(0)
  expect(checkKubernetes(manifests, context)).toEqual([])
})

test.each<[string, string, string, RegExp]>([
  ['a key that Kubernetes does not know', 'failureThreshold: 6', 'failureTreshold: 6', /failureTreshold is unknown/],
  ['a value of the wrong kind', 'replicas: 2', 'replicas: two', /replicas type .*integer/],
  ['a missing value', 'matchLabels:', 'matchExpressions:', /matchExpressions type .*array/],
  ['an old version', 'policy/v1', 'policy/v1beta1', /policy\/v1beta1 PodDisruptionBudget is unknown/],
  ['too little time to stop', 'PeriodSeconds: 40', 'PeriodSeconds: 20', /no time to stop/],
  ['links of services', 'enableServiceLinks: false', 'enableServiceLinks: true', /mix with its settings/],
  ['an image without a version', 'oracle:0.1.0', 'oracle:latest', /no whole version/],
  ['a variable that no oracle knows', 'name: PUBLIC_URL', 'name: PUBLIC_ADDRESS', /no oracle knows/],
  ['a secret', 'name: PUBLIC_URL', 'name: OPENAI_API_KEY', /a secret is in it/],
  [
    'a restart that depends on the database',
    'livenessProbe:\n            httpGet:\n              path: /\n',
    'livenessProbe:\n            httpGet:\n              path: /health\n',
    /depends on the database/,
  ],
  ['a readiness without the database', 'path: /health', 'path: /', /ready without the database/],
])('%s is found', (_, right, wrong, violation) => {
  expect(manifests).toContain(right)
  expect(checkKubernetes(manifests.replace(right, wrong), context).join('\n')).toMatch(violation)
})
