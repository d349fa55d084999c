// Loaded before the server. Stops the server when its parent process ends.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
