/** Called when a conversation is listed, so that presence and typing events include the new contact. */
export type OnOpened = (userId: string, peerId: string) => void

/** Checks each typed message before it is stored, in order of arrival. */
export interface Gate {
  /** Calls `send` if the message passes all checks. Throws `rate_limited` and `validation_failed`. */
  pass<T>(
    attempt: { senderId: string; receiverId: string; id: string; body: string },
    send: () => Promise<T>,
  ): Promise<T>
}

export interface HoldingHooks {
  /** From now on the receiver gets no events from the sender, who must not notice. */
  onHeld(senderId: string, receiverId: string): void
  /** Called after the change of what others may see of the sender. */
  onSettled(senderId: string): Promise<void>
}
