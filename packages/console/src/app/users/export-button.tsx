import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Failure } from '../components/failure.tsx'
import { saveFile } from '../components/save-file.ts'
import { useApi } from '../session/console-context.tsx'

/** Saves an export of personal data as a file. */
export const ExportButton = ({ path, file }: { readonly path: string; readonly file: string }) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const download = useMutation({
    mutationFn: async () => saveFile(await (await api.send('GET', path)).blob(), file),
  })
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Download size={14} aria-hidden />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        {t('own.export')}
      </Button>
      <Failure error={download.error} />
    </>
  )
}
