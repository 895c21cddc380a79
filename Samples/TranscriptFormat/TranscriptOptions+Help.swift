extension TranscriptOptions {
    /// What `--help` prints.
    package static let help = """
        usage: transcript [options] [URL]
               transcript --json-lines [--timeout S] [--cacert FILE] [--proxy URL]

        Prints every message that the delegate of a connection hears, as one line of JSON.
        Without a URL it loads a small file from a server of its own.

        The request
          --method M                  GET without a body, POST with one
          --header 'NAME: VALUE'      a field of the request; may be given several times
          --data STRING|@FILE         the body, or the file that has it
          --stream FILE               the body as a stream, in chunks unless a Content-Length is set
          --range R                   a Range field, such as 0-99, 100- or -100
          --timeout S                 fail when nothing moves for S seconds; 0 never does
          --cacert FILE               trust the authorities of this PEM file, not the system's
          --proxy URL                 go through this proxy; '' goes without. Otherwise the
                                      environment decides: http_proxy, https_proxy, no_proxy

        The delegate
          --on PLACE                  where it hears: main (the main thread's run loop),
                                      operation-queue, dispatch-queue, loop
          --user NAME:PASSWORD        who is there, for a server or a proxy that asks
          --accept-untrusted          accept whatever certificate a server shows, and tell of it
          --refuse-redirects          follow none: the 3xx and its body are the answer
          --slow MILLISECONDS         take that long for each message
          --cancel-after-bytes N      cancel inside the message by which N bytes have come
          --cancel-after-messages N   cancel inside the Nth message, willSend included
          --pause-after-bytes N --pause-for MILLISECONDS
                                      block once for that long when N bytes have come. With
                                      --on main or loop other connections wait meanwhile, as
                                      with --slow
          --body                      add the bytes as base64 to the data lines
          --output FILE               write the body to a file

        How often
          --repeat N                  N times, one after another, in this process
          --parallel N                N at once; with --repeat, each time

        Other
          --json-lines                answer requests that stand on standard input, a JSON object
                                      a line, until it ends
          --help                      print this

        Exit status: 0 when every connection finished or was cancelled as asked, 1 when one failed,
        64 for wrong usage. The lines are explained in Docs/Transcript.md.
        """
}
