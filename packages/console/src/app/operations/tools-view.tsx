import { Alert, Badge, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { Failure } from '../components/failure.tsx'
import { JsonView } from '../components/json-view.tsx'
import { Note } from '../components/note.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { SchemaForm } from '../components/schema-form.tsx'
import { Section } from '../components/section.tsx'
import { useFormat } from '../components/use-format.ts'
import { useAccess, useApi } from '../session/console-context.tsx'
import { callMcp, type McpResult, type McpTool, mcpResult, mcpTool } from './call-mcp.ts'
import { OperationsPage } from './operations-page.tsx'

const toolList = z.object({ tools: z.array(mcpTool) })

/** Runs one tool of the oracle as the user, without the model: with a form for its arguments. */
export const ToolsView = () => {
  const api = useApi()
  const tools = useQuery({
    queryKey: ['mcp tools'],
    queryFn: async ({ signal }) => toolList.parse(await callMcp(api, 'tools/list', {}, signal)).tools,
  })
  return (
    <OperationsPage view="tools">
      <QueryStates query={tools}>{list => <Tools tools={list} onLoaded={() => void tools.refetch()} />}</QueryStates>
    </OperationsPage>
  )
}

const Tools = ({ tools, onLoaded }: { readonly tools: readonly McpTool[]; readonly onLoaded: () => void }) => {
  const { t } = useTranslation('operations')
  const [chosen, setChosen] = useState(() => new URLSearchParams(location.search).get('tool'))
  const tool = tools.find(({ name }) => name === chosen)
  return (
    <Stack gap="md" maw="48rem">
      <Group gap="sm" align="flex-end">
        <Select
          size="xs"
          label={t('tools.tool')}
          placeholder={t('tools.choose')}
          searchable
          value={tool?.name ?? null}
          onChange={setChosen}
          data={tools.map(({ name }) => name)}
          w={280}
        />
        <LoadCapability onLoaded={onLoaded} />
      </Group>
      {chosen !== null && tool === undefined && <Note>{t('tools.notLoaded', { tool: chosen })}</Note>}
      {tool && <ToolForm key={tool.name} tool={tool} />}
    </Stack>
  )
}

/** Loads a capability, whose tools are then in the list. */
const LoadCapability = ({ onLoaded }: { readonly onLoaded: () => void }) => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const { capabilities } = useAccess()
  const [name, setName] = useState<string | null>(null)
  const load = useMutation({
    mutationFn: () => callMcp(api, 'tools/call', { name: 'load_capability', arguments: { names: [name] } }),
    onSuccess: onLoaded,
  })
  return (
    <>
      <Select
        size="xs"
        label={t('tools.capability')}
        searchable
        value={name}
        onChange={setName}
        data={capabilities.filter(one => one.state === 'ready').map(one => ({ value: one.name, label: one.title }))}
        w={200}
      />
      <Button
        size="xs"
        variant="default"
        disabled={name === null}
        loading={load.isPending}
        onClick={() => load.mutate()}
      >
        {t('tools.load')}
      </Button>
      <Failure error={load.error} />
    </>
  )
}

const ToolForm = ({ tool }: { readonly tool: McpTool }) => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const format = useFormat()
  const [ran, setRan] = useState<{ readonly result: McpResult; readonly durationMs: number }>()
  return (
    <>
      <Section
        title={tool.name}
        description={tool.description}
        actions={
          <Badge variant="light" color={tool.annotations.readOnlyHint ? 'gray' : 'orange'} tt="none">
            {t(tool.annotations.readOnlyHint ? 'tools.reads' : 'tools.writes')}
          </Badge>
        }
      >
        <SchemaForm
          schema={tool.inputSchema}
          draft={`tool ${tool.name}`}
          submitLabel={t('tools.run')}
          onEdit={() => setRan(undefined)}
          onSubmit={async values => {
            const startedAt = performance.now()
            const result = mcpResult.parse(await callMcp(api, 'tools/call', { name: tool.name, arguments: values }))
            setRan({ result, durationMs: performance.now() - startedAt })
            return false
          }}
        />
      </Section>
      {ran && (
        <Section title={t('tools.result')} description={format.duration(ran.durationMs)}>
          <Result result={ran.result} />
        </Section>
      )}
    </>
  )
}

const Result = ({ result: { content, structuredContent, isError, resultType } }: { readonly result: McpResult }) => {
  const { t } = useTranslation('operations')
  if (resultType !== 'complete') return <Note>{t('tools.needsPerson')}</Note>
  const text = content.map(part => part.text ?? `(${part.type})`).join('\n')
  if (isError) {
    return (
      <Alert color="red" role="alert">
        <Text size="sm">{text}</Text>
      </Alert>
    )
  }
  return <JsonView value={structuredContent ?? text} />
}
