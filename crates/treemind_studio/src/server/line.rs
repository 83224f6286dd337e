//! A connection to the server, shared by those who answer it.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

/// A connection. It keeps its place among those that are allowed until the last clone is dropped: an upgrade to a web socket
/// takes the connection out of the hands of HTTP, and keeps a clone.
#[derive(Clone, Debug)]
pub(crate) struct Line(Arc<(TcpStream, OwnedSemaphorePermit)>);

impl Line {
    pub(crate) fn new(stream: TcpStream, place: OwnedSemaphorePermit) -> Self {
        Self(Arc::new((stream, place)))
    }

    fn stream(&self) -> &TcpStream {
        &self.0.0
    }

    /// Reads to the end what the other side still sends, for some time at most, and forgets it. A connection that is closed
    /// with something unread is reset, and what was written last may never arrive.
    pub(crate) async fn drain(&self, time: Duration) {
        let mut rest = vec![0; 16 * 1024];
        let read = async {
            loop {
                self.stream().readable().await?;
                match self.stream().try_read(&mut rest) {
                    Ok(0) => return io::Result::Ok(()),
                    Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                    _ => {}
                }
            }
        };
        // Whether it ends or not, it is closed now.
        let _ = timeout(time, read).await;
    }
}

impl AsyncRead for Line {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.stream().poll_read_ready(context))?;
            match self.stream().try_read(buffer.initialize_unfilled()) {
                Ok(read) => {
                    buffer.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.stream().poll_write_ready(context))?;
            match self.stream().try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// It is closed when the last clone is dropped.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
