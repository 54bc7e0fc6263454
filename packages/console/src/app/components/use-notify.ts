import { notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../api/problem.ts'

/** Shows for some seconds how an action ended. */
export interface Notify {
  done(message: string): void
  failed(error: unknown): void
}

/** Returns the notifications of the console. */
export const useNotify = (): Notify => {
  const { t } = useTranslation()
  return useMemo(() => {
    const closeButtonProps = { 'aria-label': t('action.close') }
    return {
      done: message => void notifications.show({ message, closeButtonProps }),
      failed: error => void notifications.show({ message: messageOf(error), color: 'red', closeButtonProps }),
    }
  }, [t])
}
