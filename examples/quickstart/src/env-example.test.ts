import { bundledAdapters, bundledPlugins } from '@sibyl/bundle'
import { renderEnvExample } from '@sibyl/cli/env'
import { listEnvVariables } from '@sibyl/core'
import { expect, test } from 'vitest'
import { notebook } from './plugins/notebook.ts'
import { ownSecrets } from './start/own-secrets.ts'

test('.env.example has every variable with its description', async () => {
  const text = renderEnvExample(listEnvVariables([...bundledPlugins(), notebook(), ...bundledAdapters()]), {
    origin: 'This file follows from the sources: npx -y pnpm@12 test examples/quickstart -u',
    madeTitle: 'Made by the first run',
    made: ownSecrets,
  })
  await expect(text).toMatchFileSnapshot('../.env.example')
})
