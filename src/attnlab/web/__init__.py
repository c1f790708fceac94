"""The course as a static site: the lesson, an editor and the checks in a web page, with nothing to install.

=============  ==============================================================================
`commands`     ``attnlab web build`` and ``attnlab web serve``
`build`        the whole site
`pages`        one lesson as a page that is complete before any script runs
`prose`        Markdown, formulas (`formulas`) and code as HTML
`cells`        the lesson's given cells: what each needs, and what it shows
`document`     the data that a page's script reads
`packing`      the part of this package that runs in the browser, as one archive
`runtime`      where Python for the browser (Pyodide) comes from
`inside`       the one module that is called in the browser
=============  ==============================================================================

Needs the extra ``web``, which nothing outside this folder imports; `inside` and what it imports need NumPy only.
"""
